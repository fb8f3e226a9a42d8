/** What a key means in live chat; `write` goes into the composer with the letter that was typed. */
export type Shortcut =
  | 'down'
  | 'up'
  | 'open'
  | 'waiting'
  | 'attending'
  | 'resolved'
  | 'accept'
  | 'resolve'
  | 'next'
  | 'reply'
  | 'write'
  | 'search'
  | 'find'
  | 'attach'
  | 'record'
  | 'details'
  | 'back'
  | 'help'

const byKey: Record<string, Shortcut> = {
  arrowdown: 'down',
  j: 'down',
  arrowup: 'up',
  k: 'up',
  enter: 'open',
  1: 'waiting',
  2: 'attending',
  3: 'resolved',
  a: 'accept',
  e: 'resolve',
  n: 'next',
  r: 'reply',
  '/': 'search',
  escape: 'back',
  '?': 'help',
}

/** What the dialog behind '?' shows: the keys of live chat, and those that the shell and the toasts have everywhere. */
export const shortcutHelp: { keys: string[]; says: string }[] = [
  { keys: ['↑', '↓'], says: 'Percorrer a lista (também K e J)' },
  { keys: ['Enter'], says: 'Abrir a conversa' },
  { keys: ['1', '2', '3'], says: 'Aguardando, Atendendo, Resolvidos' },
  { keys: ['A'], says: 'Aceitar' },
  { keys: ['E'], says: 'Finalizar' },
  { keys: ['N'], says: 'Próxima conversa que aguarda' },
  { keys: ['R'], says: 'Escrever (ou comece a digitar)' },
  { keys: ['Enter'], says: 'Enviar, ao escrever' },
  { keys: ['Shift', 'Enter'], says: 'Quebrar a linha, ao escrever' },
  { keys: ['Ctrl', 'O'], says: 'Anexar' },
  { keys: ['Ctrl', 'M'], says: 'Gravar mensagem de voz' },
  { keys: ['↑'], says: 'Percorrer as mensagens, com a caixa vazia' },
  { keys: ['Home', 'End'], says: 'Primeira e última mensagem' },
  { keys: ['R'], says: 'Responder citando a mensagem escolhida' },
  { keys: ['+'], says: 'Reagir à mensagem escolhida' },
  { keys: ['Enter'], says: 'Abrir ou tocar a mensagem escolhida' },
  { keys: ['←', '→'], says: 'Foto anterior e próxima, com uma aberta' },
  { keys: ['Ctrl', 'Shift', 'F'], says: 'Buscar na conversa' },
  { keys: ['Ctrl', 'I'], says: 'Detalhes do contato' },
  { keys: ['/'], says: 'Buscar na lista' },
  { keys: ['Esc'], says: 'Voltar' },
  { keys: ['G', 'C'], says: 'Ir para Dashboard' },
  { keys: ['G', 'L'], says: 'Ir para Bate Papo ao vivo' },
  { keys: ['G', 'W'], says: 'Ir para WhatsApp Sessions' },
  { keys: ['G', 'S'], says: 'Ir para Configurações' },
  { keys: ['F8'], says: 'Ir para o aviso que está na tela' },
  { keys: ['?'], says: 'Mostrar os atalhos' },
]

/** With Ctrl, also while typing. */
const byControlKey: Record<string, Shortcut> = { o: 'attach', m: 'record', i: 'details' }
/** Ctrl+F alone stays the browser's own. */
const byControlShiftKey: Record<string, Shortcut> = { f: 'find' }
const withControl = [...Object.values(byControlKey), ...Object.values(byControlShiftKey)]

interface Pressed {
  key: string
  ctrlKey: boolean
  shiftKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** True for what a text field makes no use of. */
export const worksWhileTyping = (shortcut: Shortcut): boolean => withControl.includes(shortcut)

/** The meaning of a key, or null. G is left to the shell, which goes to places with it. */
export const shortcutOf = ({ key, ctrlKey, shiftKey, metaKey, altKey }: Pressed): Shortcut | null => {
  if (metaKey || altKey) return null
  if (ctrlKey) return (shiftKey ? byControlShiftKey : byControlKey)[key.toLowerCase()] ?? null
  const known = byKey[key.toLowerCase()]
  if (known) return known
  return key.toLowerCase() !== 'g' && /^\p{L}$/u.test(key) ? 'write' : null
}
