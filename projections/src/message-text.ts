import type { MessageContent } from '@prosa/contracts/values/message-content'

/** WhatsApp's type without 'Message'. */
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

/** `imageMessage`, `viewOnceMessageV2` → 'imagem', 'visualização única' */
const nameOf = (type: string): string => {
  const kind = type.replace(/Message(V\d+)?$/, '')
  return (Object.hasOwn(names, kind) && names[kind]) || 'mensagem'
}

export const deletedText = 'Mensagem apagada'

/** Text, caption, or a sentence for unsupported kinds. */
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

/** 'Foto', 'Mensagem de voz (0:12)', 'Documento: contrato.pdf'. */
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

/** At most 200 characters. */
export const oneLine = (text: string): string => {
  const line = text
    .slice(0, 4 * lineLength)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > lineLength ? `${line.slice(0, lineLength - 1)}…` : line
}

/** For lists, quotes and notifications. */
export const messageLine = (content: MessageContent): string => oneLine(messageText(content)) || kindText(content)

export const originalText = (content: MessageContent): string => messageText(content) || kindText(content)
