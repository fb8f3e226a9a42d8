/** What the page of the API says about one route. */
export interface Endpoint {
  area: keyof typeof areas
  summary: string
  /** Answers people who are not signed in too. */
  open?: true
  /** A role that the signed-in user needs. */
  role?: 'admin' | 'analyst'
  /** The body, or the reply, is a file as it is, not JSON. */
  file?: 'body' | 'reply'
}

/** The chapters of `/api/docs`, in their order. */
export const areas = {
  Conta: 'Cadastro, entrada, senha e perfil.',
  Conversas: 'Contatos, mensagens e filas de atendimento.',
  Conexões: 'Números de WhatsApp conectados por QR Code.',
  Administração: 'Para quem administra o Prosa.',
} as const

/**
 * Every route of the product by method and path, with the one sentence about it that `/api/docs` shows. A route that is not
 * here is not documented, and a test fails.
 */
export const endpoints: Record<string, Endpoint> = {
  'POST /api/auth/register': { area: 'Conta', open: true, summary: 'Cria uma conta e entra nela.' },
  'POST /api/auth/login': { area: 'Conta', open: true, summary: 'Entra na conta.' },
  'POST /api/auth/logout': { area: 'Conta', open: true, summary: 'Sai da conta neste navegador.' },
  'POST /api/auth/forgot-password': {
    area: 'Conta',
    open: true,
    summary: 'Pede um link de redefinição de senha; a resposta é a mesma se não houver conta.',
  },
  'POST /api/auth/reset-password': { area: 'Conta', open: true, summary: 'Define uma nova senha com o link recebido.' },
  'PUT /api/auth/password': { area: 'Conta', summary: 'Troca a senha e sai da conta nos outros navegadores.' },
  'POST /api/auth/erase-account': {
    area: 'Conta',
    summary: 'Apaga a conta e tudo o que é pessoal nela, para sempre. Pede a senha.',
  },
  'GET /api/auth/user': { area: 'Conta', summary: 'Quem está na conta, e até quando vale a assinatura.' },
  'PUT /api/auth/user': { area: 'Conta', summary: 'Altera nome, sobrenome e e-mail.' },

  'GET /api/whatsapp/contacts': {
    area: 'Conversas',
    summary: 'Contatos por fila ou por busca: do mais recente; em aguardando, de quem espera há mais tempo.',
  },
  'POST /api/whatsapp/contacts': { area: 'Conversas', summary: 'Adiciona um contato pelo telefone.' },
  'GET /api/whatsapp/contacts/:id': { area: 'Conversas', summary: 'Um contato.' },
  'DELETE /api/whatsapp/contacts/:id': {
    area: 'Conversas',
    summary: 'Apaga para sempre um contato e o que ele disse.',
  },
  'GET /api/whatsapp/contact-counts': { area: 'Conversas', summary: 'Quantos contatos há em cada fila.' },
  'GET /api/whatsapp/longest-waiting': { area: 'Conversas', summary: 'O contato que aguarda há mais tempo.' },
  'PUT /api/whatsapp/contacts/:id/name': { area: 'Conversas', summary: 'Dá a um contato o nome que a empresa usa.' },
  'GET /api/whatsapp/contacts/:id/notes': { area: 'Conversas', summary: 'As notas sobre um contato.' },
  'POST /api/whatsapp/contacts/:id/notes': { area: 'Conversas', summary: 'Escreve uma nota sobre um contato.' },
  'DELETE /api/whatsapp/contacts/:id/notes/:noteId': { area: 'Conversas', summary: 'Apaga uma nota.' },
  'GET /api/whatsapp/contacts/:id/messages': {
    area: 'Conversas',
    summary: 'As últimas 100 mensagens de um contato; com cursor, as anteriores.',
  },
  'PATCH /api/whatsapp/contacts/:id/status': { area: 'Conversas', summary: 'Aceita ou finaliza uma conversa.' },
  'POST /api/whatsapp/contacts/:id/reopen': { area: 'Conversas', summary: 'Retoma uma conversa finalizada.' },
  'POST /api/whatsapp/contacts/:id/seen': {
    area: 'Conversas',
    summary: 'Marca as mensagens de um contato como vistas.',
  },
  'POST /api/whatsapp/contacts/:id/separate': { area: 'Conversas', summary: 'Desfaz a união de dois contatos.' },
  'POST /api/whatsapp/contacts/:id/messages/:messageId/reaction': {
    area: 'Conversas',
    summary: 'Reage a uma mensagem, ou retira a reação.',
  },
  'PATCH /api/whatsapp/contacts/:id/messages/:messageId': {
    area: 'Conversas',
    summary: 'Edita um texto ou uma legenda para todos, até 15 minutos depois do envio.',
  },
  'DELETE /api/whatsapp/contacts/:id/messages/:messageId': {
    area: 'Conversas',
    summary: 'Apaga uma mensagem para todos, até 2 dias depois do envio.',
  },
  'GET /api/whatsapp/search': {
    area: 'Conversas',
    summary: 'Busca no texto de todas as mensagens; com contactId, nas de uma conversa.',
  },
  'POST /api/whatsapp/media': { area: 'Conversas', file: 'body', summary: 'Recebe um arquivo para ser enviado.' },
  'GET /api/whatsapp/media/:id': { area: 'Conversas', file: 'reply', summary: 'O arquivo de uma mensagem.' },
  'POST /api/whatsapp/media/:id/retry': { area: 'Conversas', summary: 'Busca de novo um arquivo que não veio.' },
  'GET /api/quick-replies': { area: 'Conversas', summary: 'As respostas rápidas, por atalho.' },
  'POST /api/quick-replies': { area: 'Conversas', summary: 'Cria uma resposta rápida.' },
  'PATCH /api/quick-replies/:id': { area: 'Conversas', summary: 'Altera uma resposta rápida.' },
  'DELETE /api/quick-replies/:id': { area: 'Conversas', summary: 'Exclui uma resposta rápida.' },
  'POST /api/whatsapp/send-message': { area: 'Conversas', summary: 'Guarda uma mensagem e a envia ao contato.' },

  'GET /api/whatsapp/connections': { area: 'Conexões', summary: 'As conexões, com o QR Code das que esperam por ele.' },
  'POST /api/whatsapp/connections': { area: 'Conexões', summary: 'Cria uma conexão e pede um QR Code.' },
  'POST /api/whatsapp/connections/:id/refresh': { area: 'Conexões', summary: 'Pede um novo QR Code.' },
  'POST /api/whatsapp/connections/:id/disconnect': { area: 'Conexões', summary: 'Desconecta o número.' },
  'POST /api/whatsapp/connections/:id/pairing-code': {
    area: 'Conexões',
    summary: 'Pede um código para digitar no telefone, em vez do QR Code.',
  },
  'GET /api/whatsapp/networks': { area: 'Conexões', summary: 'As redes a que uma nova conexão pode se ligar.' },
  'GET /api/whatsapp/quick-sessions': { area: 'Conexões', summary: 'As conexões, como sessões rápidas.' },
  'POST /api/whatsapp/quick-session': {
    area: 'Conexões',
    summary: 'Cria uma sessão rápida, ou renova o QR Code da que tem este nome.',
  },
  'DELETE /api/whatsapp/quick-session/:id': { area: 'Conexões', summary: 'Remove uma sessão rápida.' },
  'GET /api/whatsapp/sessions': { area: 'Conexões', summary: 'As conexões, como sessões.' },
  'POST /api/whatsapp/create-session': { area: 'Conexões', summary: 'Cria uma sessão e pede um QR Code.' },
  'DELETE /api/whatsapp/session/:token': { area: 'Conexões', summary: 'Remove uma sessão.' },
  'GET /api/whatsapp/qr/:token': { area: 'Conexões', summary: 'O QR Code de uma sessão.' },
  'DELETE /api/whatsapp/connections/:id': { area: 'Conexões', summary: 'Remove a conexão; as conversas ficam.' },

  'GET /api/admin/parked-work': { area: 'Administração', role: 'admin', summary: 'O trabalho que parou por um erro.' },
  'POST /api/admin/parked-work/:id/retry': {
    area: 'Administração',
    role: 'admin',
    summary: 'Tenta de novo um trabalho parado.',
  },
  'POST /api/admin/parked-work/:id/release': {
    area: 'Administração',
    role: 'admin',
    summary: 'Desiste do evento que falha; os seguintes continuam.',
  },
}
