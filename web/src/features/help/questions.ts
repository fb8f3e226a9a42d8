import { plainText } from '../../lib/format/plain-text.ts'

export interface Question {
  id: string
  question: string
  answer: readonly string[]
}

/** Each answer must be true of the current product. */
export const questions: readonly Question[] = [
  {
    id: 'conectar',
    question: 'Como conecto o WhatsApp da minha empresa?',
    answer: [
      'Abra Configurações → Conexões e escolha “Adicionar Conexão”. No celular da empresa, abra o WhatsApp, toque em Aparelhos conectados → Conectar um aparelho e aponte a câmera para o QR Code. Ele vale por dois minutos; depois, “Atualizar” mostra outro.',
      'Sem câmera por perto, escolha “Conectar com código” na mesma janela e digite no celular o código que aparece.',
    ],
  },
  {
    id: 'periodo-gratuito',
    question: 'O que acontece quando os 10 dias gratuitos terminam?',
    answer: [
      'Você continua a ler tudo, e as mensagens dos seus clientes continuam a chegar e ficam guardadas. Três dias depois do fim, vale o plano gratuito, com menos mensagens e conexões, ou o envio para até que você escolha um plano: Faturamento mostra o que vale para você.',
      'Para escolher um, abra Faturamento → Planos. O pagamento é feito na Kiwify e o acesso volta sozinho quando ela o confirma. O período gratuito vale uma vez para cada e-mail.',
    ],
  },
  {
    id: 'limites',
    question: 'Quantas mensagens e conexões meu plano permite?',
    answer: [
      'Cada plano tem um limite de mensagens por mês e de conexões. O seu limite e o que você já usou aparecem em Faturamento → Plano Atual. O plano Empresarial é ilimitado.',
      'Conta uma mensagem cada vez que você escreve pelo Prosa, e cada uma que um fluxo ou a resposta fora do horário envia por você. O que seus clientes enviam, reações, edições e novas tentativas não contam.',
    ],
  },
  {
    id: 'sem-internet',
    question: 'Perco mensagens se a internet ou o celular cair?',
    answer: [
      'Não. O que você escreve fica guardado, aparece como “enviando” e sai assim que a conexão volta. O que seus clientes escrevem enquanto isso chega quando o WhatsApp se conecta de novo.',
      'Enquanto um número está desconectado, o Bate Papo ao vivo avisa no alto da conversa e mostra o caminho para conectar. Com vários números, o aviso diz qual deles, também no Dashboard.',
    ],
  },
  {
    id: 'varios-numeros',
    question: 'Com vários números, por qual sai a minha resposta?',
    answer: [
      'Pelo número em que a pessoa escreveu por último. O nome dele aparece no alto da conversa e na lista; quem escreve para dois dos seus números continua em uma conversa só.',
      'Se esse número cair, a resposta espera por ele. Para não esperar, escolha “Responder por outro número” abaixo do campo da mensagem: a pessoa vai ver outro número.',
    ],
  },
  {
    id: 'respostas-rapidas',
    question: 'Como uso as respostas rápidas?',
    answer: [
      'Crie cada uma em Configurações → Respostas Rápidas, com um atalho e um conteúdo. No Bate Papo ao vivo, digite “/” no campo da mensagem, escolha a resposta e ela vai para o campo, pronta para enviar.',
      'Onde o conteúdo tem {nome}, vai o primeiro nome do contato.',
    ],
  },
  {
    id: 'fluxo-parar',
    question: 'Como faço um fluxo parar de falar com um cliente?',
    answer: [
      'Aceite a conversa: o fluxo para na hora. Para que nenhum outro comece com a pessoa, abra os detalhes da conversa e escolha “Pausar robô”, por uma hora, um dia, uma semana ou até alguém retomar.',
      'Para parar o fluxo com todos, abra Fluxos de Conversa e escolha “Desligar” no menu dele. As conversas em andamento vão até o fim.',
    ],
  },
  {
    id: 'fluxo-campos',
    question: 'Como um fluxo guarda a cidade ou o aniversário do cliente?',
    answer: [
      'Em uma Pergunta do fluxo, escolha o tipo de resposta e “Guardar também no contato”. O campo aparece nos detalhes da conversa, e pode ser criado ali mesmo ou em Configurações → Campos de contatos.',
      'A variável do campo, entre chaves, põe o valor em textos de fluxos e em respostas rápidas.',
    ],
  },
  {
    id: 'dados',
    question: 'Como apago os dados de um contato ou da minha conta?',
    answer: [
      'No Bate Papo ao vivo, abra os detalhes da conversa e escolha “Apagar contato”: nome, telefone, mensagens e arquivos são apagados para sempre.',
      'Para a sua conta inteira, abra Perfil → “Excluir minha conta” e confirme com a senha. Os comprovantes de pagamento que a lei manda guardar ficam, sem os seus dados de conversa.',
    ],
  },
]

/** Each word must match, ignoring accents; an empty search finds all. */
export const foundQuestions = (search: string): readonly Question[] => {
  const words = plainText(search).split(/\s+/).filter(Boolean)
  return questions.filter(({ question, answer }) => {
    const text = plainText([question, ...answer].join(' '))
    return words.every((word) => text.includes(word))
  })
}
