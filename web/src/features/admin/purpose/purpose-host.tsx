import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Notice } from '../../../components/notices/notice.tsx'
import { answerPurpose, dropQuestions, forgetDeclined, useAskedPurpose } from '../../../lib/http/reading-purpose.ts'
import { PurposeDialog } from './purpose-dialog.tsx'

/** After a refusal it asks again only on request. */
export const PurposeHost = ({ tab }: { tab: string }) => {
  const { tenant, hasDeclined } = useAskedPurpose()
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab asks for something else
  useEffect(forgetDeclined, [tab])
  useEffect(() => dropQuestions, [])

  const askAgain = () => {
    forgetDeclined()
    void queries.refetchQueries({ queryKey: ['admin'], predicate: ({ state }) => state.status === 'error' })
  }
  return (
    <>
      {hasDeclined && tenant === undefined && (
        <Notice kind="info">
          Sem um motivo, dados pessoais não são mostrados.{' '}
          <Button size="small" onClick={askAgain}>
            Informar o motivo
          </Button>
        </Notice>
      )}
      {tenant !== undefined && (
        <PurposeDialog key={tenant ?? 'all'} tenant={tenant} onClose={() => answerPurpose(false)} />
      )}
    </>
  )
}
