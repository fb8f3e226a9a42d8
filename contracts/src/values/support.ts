export const supportPriorities = ['low', 'medium', 'high', 'urgent'] as const

export type SupportPriority = (typeof supportPriorities)[number]

export const supportPriorityNames: Record<SupportPriority, string> = {
  low: 'Baixa',
  medium: 'Média',
  high: 'Alta',
  urgent: 'Urgente',
}
