import type { WhyField, WhyKind } from '@prosa/contracts/http/history'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { WhyRow } from '../../../components/why/why-row.tsx'
import type { WhyTarget } from '../../../components/why/why-target.ts'

/** One of many. */
type OfMany = 'label' | 'field' | 'tick'

/** Kinds that are records of their own. */
type OfRecord = Exclude<
  WhyKind,
  'company' | 'openingHours' | 'flows' | 'label' | 'quickReply' | 'contactField' | 'webhook'
>

const valueNames: { [K in OfRecord]: Record<Exclude<WhyField<K>, OfMany>, string> } = {
  user: {
    access: 'Acesso até',
    status: 'Status da assinatura',
    limits: 'Limites',
    name: 'Nome',
    email: 'E-mail',
    emailConfirmed: 'E-mail confirmado',
    terms: 'Termos aceitos',
    role: 'Papéis',
  },
  order: { status: 'Status', amount: 'Valor', buyer: 'Comprador', plan: 'Plano' },
  purchase: { status: 'Situação', account: 'Conta' },
  delivery: { status: 'Situação' },
  plan: { name: 'Nome', price: 'Preço', accessDays: 'Dias de acesso', isOffered: 'Oferecido' },
  support: { status: 'Situação' },
  connection: { status: 'Situação', name: 'Nome', number: 'Número' },
  contact: {
    status: 'Situação',
    attendant: 'Quem atende',
    name: 'Nome',
    phone: 'Telefone',
    robot: 'Possível robô',
    bot: 'Robô',
  },
  flow: { status: 'Status', name: 'Nome', version: 'Versão publicada', numbers: 'Números' },
  folder: { name: 'Nome', description: 'Descrição' },
}

type Props = {
  of: { kind: string; id: string }
}

/** Asks for the values of a record that no list of the panel shows, as a connection's, too. */
export const RecordWhy = ({ of: { kind, id } }: Props) => {
  if (!Object.hasOwn(valueNames, kind)) return null
  const names = valueNames[kind as OfRecord]
  return (
    <WhyRow>
      {Object.entries(names).map(([field, name]) => (
        <WhyButton key={field} asAdmin of={{ kind, id, field } as WhyTarget} what={name}>
          {name}
        </WhyButton>
      ))}
    </WhyRow>
  )
}
