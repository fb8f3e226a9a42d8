/** How soon whoever asks for help needs it. */
export const supportPriorities = ['low', 'medium', 'high', 'urgent'] as const

export type SupportPriority = (typeof supportPriorities)[number]

/** As the form, the mail and the administrators' list name them. */
export const supportPriorityNames: Record<SupportPriority, string> = {
  low: 'Baixa',
  medium: 'Média',
  high: 'Alta',
  urgent: 'Urgente',
}
