import type { MessageContent } from '@prosa/contracts/values/message-content'

/** By WhatsApp's name of the kind, without 'Message'. */
const names: Record<string, string> = {
  image: 'imagem',
  video: 'vídeo',
  ptv: 'vídeo',
  audio: 'áudio',
  ptt: 'áudio',
  document: 'documento',
  documentWithCaption: 'documento',
  sticker: 'figurinha',
  lottieSticker: 'figurinha',
  stickerPack: 'figurinhas',
  location: 'localização',
  liveLocation: 'localização',
  contact: 'contato',
  contactsArray: 'contatos',
  reaction: 'reação',
  pollCreation: 'enquete',
  pollUpdate: 'voto em enquete',
  event: 'evento',
  groupInvite: 'convite de grupo',
  product: 'produto',
  order: 'pedido',
  list: 'lista',
  listResponse: 'resposta de lista',
  buttons: 'botões',
  buttonsResponse: 'resposta de botão',
  template: 'modelo',
  templateButtonReply: 'resposta de botão',
  interactive: 'mensagem interativa',
  interactiveResponse: 'resposta',
  viewOnce: 'visualização única',
  edited: 'edição',
  call: 'ligação',
  album: 'álbum',
}

/** `imageMessage`, `viewOnceMessageV2` and `image` → 'imagem', 'visualização única', 'imagem' */
const nameOf = (type: string): string => {
  const kind = type.replace(/Message(V\d+)?$/, '')
  return (Object.hasOwn(names, kind) && names[kind]) || 'mensagem'
}

/** Stands in place of what somebody took back. */
export const deletedText = 'Mensagem apagada'

/** The words of a message beside its picture or file; a kind that Prosa cannot show yet is named in a sentence. */
export const messageText = (content: MessageContent): string => {
  if (content.kind === 'text') return content.text
  if (content.kind === 'unsupported')
    return `[${nameOf(content.type)}] Este tipo de mensagem ainda não aparece no Prosa.`
  return 'caption' in content ? content.caption : ''
}

/** 72 → '1:12' */
const duration = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

const lasting = (name: string, seconds: number | null | undefined): string =>
  seconds ? `${name} (${duration(seconds)})` : name

/** What a message is, where it has no words of its own: 'Foto', 'Mensagem de voz (0:12)', 'Documento: contrato.pdf'. */
const kindText = (content: MessageContent): string => {
  switch (content.kind) {
    case 'image':
      return 'Foto'
    case 'video':
      return lasting('Vídeo', content.seconds)
    case 'audio':
      return lasting(content.voice ? 'Mensagem de voz' : 'Áudio', content.seconds)
    case 'document':
      return content.fileName ? `Documento: ${content.fileName}` : 'Documento'
    case 'sticker':
      return 'Figurinha'
    default:
      return ''
  }
}

const lineLength = 200

/** The text as one line of at most 200 characters. */
export const oneLine = (text: string): string => {
  const line = text
    .slice(0, 4 * lineLength)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > lineLength ? `${line.slice(0, lineLength - 1)}…` : line
}

/** A message in one line, for lists, quotes and notifications: its words, or what it is. */
export const messageLine = (content: MessageContent): string => oneLine(messageText(content)) || kindText(content)

/** The words before an edit or a deletion, whole. */
export const originalText = (content: MessageContent): string => messageText(content) || kindText(content)
