/** What a question takes, and what a field of a contact holds. */
export const answerTypes = ['text', 'number', 'email', 'phone', 'document', 'date', 'yes_no', 'file'] as const

export type AnswerType = (typeof answerTypes)[number]

export const answerTypeNames: Record<AnswerType, string> = {
  text: 'Texto',
  number: 'Número',
  email: 'E-mail',
  phone: 'Telefone',
  document: 'CPF ou CNPJ',
  date: 'Data',
  yes_no: 'Sim ou não',
  file: 'Arquivo',
}
