/** Free text would be destroyed with the account. */
export const erasureReasons = ['unused', 'price', 'missing_feature', 'privacy', 'other', 'not_said'] as const

export type ErasureReason = (typeof erasureReasons)[number]

export const erasureReasonNames: Record<ErasureReason, string> = {
  unused: 'Não uso mais',
  price: 'O preço',
  missing_feature: 'Falta algo de que preciso',
  privacy: 'Quero meus dados apagados',
  other: 'Outro motivo',
  not_said: 'Prefiro não dizer',
}
