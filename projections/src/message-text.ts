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

/** What a message says, as the user reads it; a kind that Prosa cannot show yet is named in a sentence. */
export const messageText = (content: MessageContent): string =>
  content.kind === 'text' ? content.text : `[${nameOf(content.type)}] Este tipo de mensagem ainda não aparece no Prosa.`
