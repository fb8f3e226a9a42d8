import { Field } from '../../../components/forms/field.tsx'
import { TextAreaField } from '../../../components/forms/text-area-field.tsx'
import type { BoundField } from '../../../lib/forms/use-form.ts'

export const required = 'Por favor, preencha todos os campos obrigatórios'

export interface PlanDraft {
  planId: string
  planName: string
  productId: string
  productName: string
  accessDays: string
  price: string
  description: string
  purchaseUrl: string
  reason: string
}

export const requiredFields = ['planId', 'planName', 'productId', 'productName'] as const

interface Props {
  isNew: boolean
  bind: (field: keyof PlanDraft) => BoundField
}

export const PlanForm = ({ isNew, bind }: Props) => {
  const tied = (field: keyof PlanDraft) => ({ ...bind(field), autoComplete: 'off' })
  return (
    <>
      <Field
        {...tied('planId')}
        label="ID do plano"
        help={
          isNew ? 'Um nome curto, só deste plano. Não muda depois.' : 'O ID não muda. Para outro ID, crie outro plano.'
        }
        placeholder="Ex: profissional"
        maxLength={100}
        readOnly={!isNew}
        autoFocus={isNew}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        {...tied('planName')}
        label="Nome do plano"
        placeholder="Ex: Profissional"
        maxLength={80}
        autoFocus={!isNew}
      />
      <Field
        {...tied('productId')}
        label="ID do produto"
        help="Como a Kiwify o informa em cada compra."
        maxLength={100}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field {...tied('productName')} label="Nome do produto" help="Como se chama na Kiwify." maxLength={120} />
      <Field
        {...tied('accessDays')}
        label="Dias de acesso"
        help="Quantos dias uma compra vale. Vazio: 30."
        inputMode="numeric"
        placeholder="30"
        maxLength={6}
      />
      <Field
        {...tied('price')}
        label="Preço"
        help="Como aparece no cartão, por exemplo R$ 97,00. Vazio: Consulte."
        placeholder="Consulte"
        maxLength={60}
      />
      <TextAreaField {...tied('description')} label="Descrição" rows={3} maxLength={500} />
      <Field
        {...tied('purchaseUrl')}
        label="Link de compra"
        help="O endereço do checkout na Kiwify, que começa com https://. Sem ele o plano tem o botão ‘Pedir este plano’: o pedido chega em Suporte, e você libera o acesso em Usuários → Gerenciar → Estender acesso."
        type="url"
        placeholder="https://pay.kiwify.com.br/…"
        maxLength={500}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field {...tied('reason')} label="Motivo" help="Opcional. Fica no histórico do plano." maxLength={500} />
    </>
  )
}
