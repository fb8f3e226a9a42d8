import type { WhyField } from '@prosa/contracts/http/history'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { useIsThen } from '../past/moment-shown.tsx'
import { WhyButton } from './why-button.tsx'
import { WhyRow } from './why-row.tsx'
import type { WhyTarget } from './why-target.ts'

type OwnKind = 'user' | 'company' | 'openingHours' | 'flows' | 'label' | 'quickReply' | 'contactField' | 'webhook'

type OwnTarget = { [K in OwnKind]: { kind: K; field: WhyField<K>; part?: string } }[OwnKind]

interface ButtonProps {
  of: OwnTarget
  /** For screen readers: 'Cor de Encomenda'. */
  what: string
  children?: string
}

/** Of what one's own account set; `part` names one of many. */
export const OwnWhyButton = ({ of, ...shown }: ButtonProps) => {
  const user = useCurrentUser()
  return user ? <WhyButton of={{ ...of, id: user.id } as WhyTarget} {...shown} /> : null
}

interface RowProps<K extends OwnKind> {
  kind: K
  /** Of the values that the screen shows. */
  names: Partial<Record<WhyField<K>, string>>
}

/** Away in the frame of the past: it asks why something is so now. */
export const OwnWhyRow = <K extends OwnKind>({ kind, names }: RowProps<K>) =>
  useIsThen() ? null : (
    <WhyRow>
      {Object.entries<string | undefined>(names).map(([field, name = '']) => (
        <OwnWhyButton key={field} of={{ kind, field } as OwnTarget} what={name}>
          {name}
        </OwnWhyButton>
      ))}
    </WhyRow>
  )
