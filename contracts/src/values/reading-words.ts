import type { ReadingPurpose } from './reading.ts'

export const readingPurposeNames: Record<ReadingPurpose, string> = {
  support: 'Atender a um pedido de ajuda',
  billing: 'Conferir um pagamento ou acesso',
  incident: 'Investigar uma falha',
  abuse: 'Apurar abuso ou fraude',
  legal: 'Cumprir um pedido da pessoa ou da lei',
  other: 'Outro motivo',
}
