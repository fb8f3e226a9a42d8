const blocked = 'O WhatsApp bloqueou este número. Abra o WhatsApp no celular para ver o motivo.'

const reasons: Record<number, string> = {
  402: 'O WhatsApp bloqueou este número por um tempo. Veja no celular até quando; depois, toque em Atualizar.',
  403: blocked,
  406: blocked,
  411: 'O WhatsApp deste celular não aceita aparelhos conectados. Atualize o aplicativo e escaneie um novo QR Code.',
  500: 'O WhatsApp recusou a conexão várias vezes seguidas. Toque em Atualizar e escaneie o novo QR Code.',
}

/** By WhatsApp's close code. */
export const refusalReason = (code: number): string =>
  reasons[code] ?? 'O WhatsApp recusou a conexão. Toque em Atualizar e escaneie o novo QR Code.'
