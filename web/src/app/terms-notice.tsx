import Button from '@mui/material/Button'
import type { User } from '@prosa/contracts/http/accounts/auth'
import { NoticeBar } from '../components/notices/notice-bar.tsx'
import { termsDay, useAcceptTerms } from '../lib/account/accept-terms.ts'
import { privacyPath, termsPath } from '../lib/paths.ts'

const sentenceOf = ({ version, accepted }: User['terms']): string =>
  accepted
    ? `Os termos de uso e a política de privacidade mudaram em ${termsDay(version)}.`
    : 'O Prosa tem termos de uso e uma política de privacidade. Leia e aceite quando puder.'

const document = { target: '_blank', rel: 'noopener', color: 'inherit', size: 'small' } as const

/** Nothing waits for the answer: the account works as before. */
export const TermsNotice = ({ terms }: Pick<User, 'terms'>) => {
  const accept = useAcceptTerms()
  return (
    <NoticeBar
      sentence={sentenceOf(terms)}
      moreActions={
        <>
          <Button component="a" href={termsPath} {...document}>
            Termos de uso
          </Button>
          <Button component="a" href={privacyPath} {...document}>
            Privacidade
          </Button>
        </>
      }
    >
      <Button
        color="warning"
        variant="outlined"
        size="small"
        disabled={accept.isPending}
        onClick={() => accept.mutate(terms.version)}
      >
        {accept.isPending ? 'Aceitando...' : 'Aceitar'}
      </Button>
    </NoticeBar>
  )
}
