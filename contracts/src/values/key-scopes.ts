/** Reading what is published: keys of analysts have only these. */
export const platformScopes = ['streams', 'tables'] as const

export const isPlatformScope = (scope: string): scope is (typeof platformScopes)[number] =>
  (platformScopes as readonly string[]).includes(scope)

/** What a key opens. */
export const keyScopes = [
  ...platformScopes,
  'connections:read',
  'contacts:read',
  'contacts:write',
  'conversations:read',
  'messages:send',
  'flows:start',
] as const

interface ScopeWords {
  /** After 'Esta chave pode'. */
  may: string
  sentence: string
}

export const keyScopeWords: Readonly<Record<(typeof keyScopes)[number], ScopeWords>> = {
  streams: { may: 'ler os eventos', sentence: 'Tudo o que acontece na conta, na ordem em que aconteceu.' },
  tables: { may: 'ler as tabelas', sentence: 'Conversas, mensagens, conexões e assinaturas, uma por linha.' },
  'connections:read': { may: 'ver os números', sentence: 'Os números conectados, e se cada um está no ar.' },
  'contacts:read': { may: 'ler os contatos', sentence: 'Nome, telefone e fila de cada contato.' },
  'contacts:write': { may: 'adicionar contatos', sentence: 'Um contato novo, pelo telefone.' },
  'conversations:read': { may: 'ler as conversas', sentence: 'O que cada contato e a sua equipe escreveram.' },
  'messages:send': {
    may: 'enviar mensagens',
    sentence: 'Textos a qualquer contato, também a números novos. Contam nas mensagens do seu plano.',
  },
  'flows:start': { may: 'começar fluxos', sentence: 'Os fluxos publicados e ligados, com um contato.' },
}
