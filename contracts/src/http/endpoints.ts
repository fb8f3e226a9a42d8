/** What the page of the API says about one route. */
export interface Endpoint {
  area: keyof typeof areas
  summary: string
  /** Answers people who are not signed in too. */
  open?: true
  /** A role that the signed-in user needs. */
  role?: 'admin' | 'analyst'
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
  'GET /api/auth/user': { area: 'Conta', summary: 'Quem está na conta, e até quando vale a assinatura.' },
  'PUT /api/auth/user': { area: 'Conta', summary: 'Altera nome, sobrenome e e-mail.' },

  'GET /api/whatsapp/contacts': { area: 'Conversas', summary: 'Contatos por fila ou por busca, do mais recente.' },
  'POST /api/whatsapp/contacts': { area: 'Conversas', summary: 'Adiciona um contato pelo telefone.' },
  'GET /api/whatsapp/contacts/:id': { area: 'Conversas', summary: 'Um contato.' },
  'DELETE /api/whatsapp/contacts/:id': {
    area: 'Conversas',
    summary: 'Apaga para sempre um contato e o que ele disse.',
  },
  'GET /api/whatsapp/contact-counts': { area: 'Conversas', summary: 'Quantos contatos há em cada fila.' },
  'GET /api/whatsapp/contacts/:id/messages': {
    area: 'Conversas',
    summary: 'As últimas 100 mensagens de um contato; com cursor, as anteriores.',
  },
  'PATCH /api/whatsapp/contacts/:id/status': { area: 'Conversas', summary: 'Aceita ou finaliza uma conversa.' },
  'POST /api/whatsapp/contacts/:id/seen': {
    area: 'Conversas',
    summary: 'Marca as mensagens de um contato como vistas.',
  },
  'POST /api/whatsapp/send-message': { area: 'Conversas', summary: 'Guarda uma mensagem e a envia ao contato.' },

  'GET /api/whatsapp/connections': { area: 'Conexões', summary: 'As conexões, com o QR Code das que esperam por ele.' },
  'POST /api/whatsapp/connections': { area: 'Conexões', summary: 'Cria uma conexão e pede um QR Code.' },
  'POST /api/whatsapp/connections/:id/refresh': { area: 'Conexões', summary: 'Pede um novo QR Code.' },
  'POST /api/whatsapp/connections/:id/disconnect': { area: 'Conexões', summary: 'Desconecta o número.' },
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
