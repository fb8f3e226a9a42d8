import { plainText } from '../../lib/format/plain-text.ts'
import { paths, settingsSection } from '../../lib/paths.ts'
import { flowsArticle } from './flows-article.ts'

interface Step {
  title: string
  text: string
  link?: { to: string; label: string }
  /** `<name>-light.webp` and `<name>-dark.webp`; size in px. */
  picture?: { name: string; alt: string; width: number; height: number }
}

export interface Article {
  card: string
  title: string
  sentence: string
  /** Parts are steps in order. */
  isNumbered: boolean
  parts: readonly Step[]
}

const pictures = {
  liveChat: {
    name: '/landing/live-chat',
    alt: 'Bate Papo ao vivo: a lista de conversas à esquerda, a conversa aberta à direita e o campo da mensagem embaixo.',
    width: 1280,
    height: 800,
  },
  connection: {
    name: '/help/connection',
    alt: 'A janela Conectar WhatsApp: um QR Code de exemplo, o tempo restante e o botão Conectar com código.',
    width: 440,
    height: 512,
  },
  quickReplies: {
    name: '/help/quick-replies',
    alt: 'Configurações, Respostas Rápidas: cartões com os atalhos /endereco, /horario e /pix e o botão Nova Resposta Rápida.',
    width: 1000,
    height: 500,
  },
}

export const articles = {
  guia: {
    card: 'Do cadastro à primeira resposta, em cinco passos.',
    title: 'Guia de início rápido',
    sentence: 'Em uns dez minutos o WhatsApp da sua empresa está no Prosa.',
    isNumbered: true,
    parts: [
      {
        title: 'Conecte um número',
        text: 'Em Conexões, escolha “Adicionar Conexão”, dê um nome e leia o QR Code com o celular da empresa: WhatsApp → Aparelhos conectados → Conectar um aparelho.',
        link: { to: settingsSection('conexoes'), label: 'Abrir Conexões' },
      },
      {
        title: 'Receba a primeira mensagem',
        text: 'Peça a alguém que escreva para o seu número. A conversa aparece em Aguardando no mesmo instante.',
        link: { to: paths.liveChat, label: 'Abrir o Bate Papo ao vivo' },
      },
      {
        title: 'Aceite e responda',
        text: '“Aceitar” leva a conversa para Atendendo. Escreva embaixo e tecle Enter; Shift+Enter muda de linha. Um tique: enviada. Dois: entregue.',
      },
      {
        title: 'Finalize',
        text: 'Com tudo resolvido, “Finalizar” leva a conversa para Resolvidos. Se a pessoa escrever de novo, ela volta para Aguardando.',
      },
      {
        title: 'Crie respostas rápidas',
        text: 'Horário, endereço, chave Pix: o que você repete todo dia sai com “/” e um atalho.',
        link: { to: settingsSection('respostas-rapidas'), label: 'Abrir Respostas Rápidas' },
      },
    ],
  },
  tutoriais: {
    card: 'As telas passo a passo, com imagens, no seu ritmo.',
    title: 'Tutoriais passo a passo',
    sentence: 'O que você vê em cada parte da tela, e o que fazer ali.',
    isNumbered: true,
    parts: [
      {
        title: 'Conheça o Bate Papo ao vivo',
        text: 'À esquerda estão as conversas, em três abas: Aguardando, Atendendo e Resolvidos. À direita, a conversa aberta.',
        picture: pictures.liveChat,
        link: { to: paths.liveChat, label: 'Abrir o Bate Papo ao vivo' },
      },
      {
        title: 'Conecte um número',
        text: 'Em Conexões, “Adicionar Conexão” pede um nome e mostra o QR Code. Aponte para ele a câmera do celular da empresa, em WhatsApp → Aparelhos conectados.',
        picture: pictures.connection,
        link: { to: settingsSection('conexoes'), label: 'Abrir Conexões' },
      },
      {
        title: 'Crie respostas rápidas',
        text: 'Cada uma tem um atalho e um conteúdo. Na conversa, digite “/” e o atalho: o conteúdo vai para o campo da mensagem.',
        picture: pictures.quickReplies,
        link: { to: settingsSection('respostas-rapidas'), label: 'Abrir Respostas Rápidas' },
      },
      {
        title: 'Deixe um fluxo receber quem escreve',
        text: 'Em Fluxos de Conversa, “Adicionar” cria um rascunho. No editor, ligue o gatilho aos passos: mensagem, pergunta, condição, espera. “Testar” mostra a conversa sem enviar nada; “Publicar” mostra o que vai acontecer e liga o fluxo. Em “Quem responde?”, escreva uma mensagem e veja qual fluxo a responderia, e por quê. Quando alguém da equipe aceita a conversa, o fluxo para. Depois de “Transferir”, nenhum fluxo começa com a pessoa até alguém finalizar a conversa.',
        link: { to: paths.conversationFlows, label: 'Abrir Fluxos de Conversa' },
      },
      {
        title: 'Encontre qualquer conversa',
        text: 'Em “Buscar atendimento e mensagens”, escreva um nome, um telefone ou uma palavra da conversa, com ou sem acento.',
      },
      {
        title: 'Envie arquivos e voz',
        text: 'Arraste uma foto ou um documento para a conversa, cole do teclado ou use o clipe. O microfone grava uma mensagem de voz.',
      },
      {
        title: 'Trabalhe pelo teclado',
        text: 'No Bate Papo ao vivo, tecle “?” para ver todos os atalhos: A aceita, E finaliza, as setas andam pela lista.',
      },
      {
        title: 'Siga pelo celular',
        text: 'Abra o mesmo endereço no navegador do telefone. A lista e a conversa ficam uma de cada vez, e o voltar do aparelho funciona.',
      },
    ],
  },
  fluxos: flowsArticle,
  casos: {
    card: 'Como negócios diferentes organizam o atendimento.',
    title: 'Casos de uso',
    sentence: 'Três jeitos de usar o Prosa. São exemplos, não clientes: comece pelo que se parece com o seu.',
    isNumbered: false,
    parts: [
      {
        title: 'Balcão que recebe pedidos',
        text: 'Muitas mensagens curtas de uma vez. Deixe Aguardando sempre à vista: quem espera há mais de cinco minutos ganha destaque. Respostas rápidas com o cardápio e a chave Pix; “Finalizar” a cada pedido entregue.',
      },
      {
        title: 'Clínica ou escritório com hora marcada',
        text: 'As conversas duram dias. Use as notas do contato para o que a próxima pessoa precisa saber, e a busca para achar o que foi combinado meses atrás.',
      },
      {
        title: 'Loja com vários números',
        text: 'Vendas, assistência, financeiro: uma conexão para cada número. As conversas chegam na mesma fila, e cada resposta sai pelo número em que a pessoa escreveu por último. O nome dele aparece na lista e no alto da conversa, e a lista pode mostrar um número só.',
      },
    ],
  },
} as const satisfies Record<string, Article>

export type Topic = keyof typeof articles

/** `part`: from 1. */
export const helpTopic = (topic: Topic, part?: number): string =>
  `${paths.help}?${new URLSearchParams({ tema: topic, ...(part !== undefined && { parte: String(part) }) })}`

export interface FoundPart {
  to: string
  title: string
  article: string
}

/** Each word must match, ignoring accents; an empty search finds none. */
export const foundParts = (search: string): readonly FoundPart[] => {
  const words = plainText(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return (Object.keys(articles) as Topic[]).flatMap((topic) => {
    const { title: article, parts }: Article = articles[topic]
    return parts.flatMap(({ title, text }, at) => {
      const searched = plainText(`${article} ${title} ${text}`)
      return words.every((word) => searched.includes(word)) ? { to: helpTopic(topic, at + 1), title, article } : []
    })
  })
}

export const topicOf = (text: string | null): Topic | undefined =>
  (Object.keys(articles) as Topic[]).find((topic) => topic === text)
