const reasons: Record<string, string> = {
  '463': 'O WhatsApp limitou o início de novas conversas por esta conta. Tente mais tarde.',
  connection_removed: 'A conexão usada para esta mensagem foi removida. Envie de novo por outra conexão.',
}

/** Why a message failed, by WhatsApp's code or ours, in a sentence for the user. */
export const failureReason = (code: string): string =>
  (Object.hasOwn(reasons, code) && reasons[code]) || 'O WhatsApp não aceitou esta mensagem. Tente enviar de novo.'
