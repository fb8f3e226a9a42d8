export type FlowShortcut =
  | 'save'
  | 'undo'
  | 'redo'
  | 'select_all'
  | 'search'
  | 'delete'
  | 'clear'
  | 'zoom_in'
  | 'zoom_out'
  | 'fit'
  | 'lock'
  | 'toggle_view'
  | 'arrange'
  | 'test'
  | 'preview'
  | 'settings'
  | 'versions'
  | 'runs'
  | 'publish'
  | 'help'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'add_note'
  | `add_${number}`

interface Pressed {
  key: string
  ctrlKey: boolean
  shiftKey: boolean
  metaKey: boolean
  altKey: boolean
}

const byKey: Record<string, FlowShortcut> = {
  '/': 'search',
  delete: 'delete',
  backspace: 'delete',
  escape: 'clear',
  '+': 'zoom_in',
  '=': 'zoom_in',
  '-': 'zoom_out',
  0: 'fit',
  x: 'lock',
  l: 'toggle_view',
  o: 'arrange',
  t: 'test',
  p: 'preview',
  c: 'settings',
  v: 'versions',
  e: 'runs',
  n: 'add_note',
  '?': 'help',
  arrowleft: 'left',
  arrowright: 'right',
  arrowup: 'up',
  arrowdown: 'down',
}

const byControlKey: Record<string, FlowShortcut> = {
  s: 'save',
  z: 'undo',
  y: 'redo',
  a: 'select_all',
  f: 'search',
  enter: 'publish',
}

/** Text fields do not use these keys. */
const whileTyping = new Set<FlowShortcut>(['save', 'publish'])
export const worksWhileTyping = (shortcut: FlowShortcut): boolean => whileTyping.has(shortcut)

export const flowShortcutOf = ({ key, ctrlKey, shiftKey, metaKey, altKey }: Pressed): FlowShortcut | null => {
  if (altKey) return null
  const lower = key.toLowerCase()
  if (ctrlKey || metaKey) {
    if (shiftKey) return lower === 'z' ? 'redo' : null
    return byControlKey[lower] ?? null
  }
  if (/^[1-9]$/.test(key)) return `add_${Number(key)}`
  return byKey[lower] ?? null
}

export const flowShortcutHelp: { keys: string[]; does: string }[] = [
  { keys: ['1', '…', '9'], does: 'Adicionar um passo, na ordem dos Elementos do Fluxo' },
  { keys: ['N'], does: 'Adicionar uma nota' },
  { keys: ['Tab'], does: 'Ir de passo em passo' },
  { keys: ['Enter'], does: 'Selecionar o passo e abrir as propriedades' },
  { keys: ['Esc'], does: 'Fechar as propriedades e limpar a seleção' },
  { keys: ['Delete'], does: 'Excluir o que está selecionado' },
  { keys: ['Ctrl', 'Z'], does: 'Desfazer' },
  { keys: ['Ctrl', 'Shift', 'Z'], does: 'Refazer (também Ctrl Y)' },
  { keys: ['Ctrl', 'C'], does: 'Copiar os passos e notas selecionados' },
  { keys: ['Ctrl', 'X'], does: 'Recortar' },
  { keys: ['Ctrl', 'V'], does: 'Colar, também em outro fluxo' },
  { keys: ['Ctrl', 'A'], does: 'Selecionar tudo' },
  { keys: ['Ctrl', 'clique'], does: 'Somar à seleção' },
  { keys: ['Shift', 'arrastar'], does: 'Selecionar uma área' },
  { keys: ['←', '↑', '↓', '→'], does: 'Mover os passos selecionados; na lista, ir de passo em passo' },
  { keys: ['/'], does: 'Buscar um passo (também Ctrl F)' },
  { keys: ['+', '-'], does: 'Aumentar e diminuir o zoom' },
  { keys: ['0'], does: 'Enquadrar o fluxo' },
  { keys: ['X'], does: 'Travar ou destravar o desenho' },
  { keys: ['L'], does: 'Trocar entre lista e desenho' },
  { keys: ['O'], does: 'Organizar os passos' },
  { keys: ['T'], does: 'Testar' },
  { keys: ['P'], does: 'Preview' },
  { keys: ['C'], does: 'Configurações do fluxo' },
  { keys: ['V'], does: 'Versões' },
  { keys: ['E'], does: 'Execuções' },
  { keys: ['Ctrl', 'S'], does: 'Salvar' },
  { keys: ['Ctrl', 'Enter'], does: 'Publicar' },
  { keys: ['?'], does: 'Mostrar os atalhos' },
]
