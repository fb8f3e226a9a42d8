/** Of services whose events are published; others are shown by their own name. */
const names: Record<string, string> = {
  identity: 'Contas',
  billing: 'Cobrança',
  contacts: 'Contatos e conversas',
  automation: 'Automação',
  sessions: 'Conexões do WhatsApp',
}

export const serviceName = (service: string): string => names[service] ?? service

const tables: Record<string, string> = {
  conversations: 'Conversas',
  messages: 'Mensagens',
  connections: 'Conexões',
  subscriptions: 'Assinaturas',
}

export const tableName = (table: string): string => tables[table] ?? table

/** 'prosa.contacts.message-received.v1' → 'message-received' */
export const shortType = (type: string): string => type.split('.').slice(2, -1).join('.') || type
