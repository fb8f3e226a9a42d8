import { paths, settingsSection } from '../../lib/paths.ts'

/** Every sentence must be true of the current product. */
export const flowsArticle = {
  card: 'O robô que responde, pergunta, guarda e chama uma pessoa.',
  title: 'Fluxos de conversa',
  sentence: 'Um fluxo é uma conversa desenhada: quem escreve é respondido na hora, e a equipe entra quando precisa.',
  isNumbered: true,
  parts: [
    {
      title: 'Desenhe a conversa',
      text: 'Em Fluxos de Conversa, “Adicionar” cria um rascunho com um gatilho e uma mensagem. O gatilho diz quando o fluxo começa: com qualquer mensagem, uma palavra-chave, o primeiro contato, fora do horário ou uma etiqueta. Arraste a bolinha de um passo até o seguinte, ou solte-a no vazio e escolha o passo que vem. Uma Nota fica só no desenho, para quem cuida do fluxo. No celular, a Lista faz tudo o que o desenho faz.',
      link: { to: paths.conversationFlows, label: 'Abrir Fluxos de Conversa' },
    },
    {
      title: 'Ofereça um menu',
      text: 'O passo Menu tem de duas a dez opções, cada uma com a sua saída. A pessoa responde com o número, a palavra ou o começo dela, com ou sem acento. Quem escreve outra coisa é perguntado de novo e depois segue por “Não entendi”; quem não responde, por “Não respondeu”.',
    },
    {
      title: 'Pergunte e guarde em campos do contato',
      text: 'Uma Pergunta pode conferir a resposta: texto, número, e-mail, telefone, CPF ou CNPJ, data, sim ou não, arquivo. “Guardar também no contato” põe a resposta em um campo seu, como cidade ou data de nascimento, que aparece nos detalhes da conversa. Em qualquer texto, {nome} vira o primeiro nome, {empresa} o nome da empresa, e a variável de um campo o que ele guarda.',
      link: { to: settingsSection('campos'), label: 'Abrir Campos de contatos' },
    },
    {
      title: 'Decida o que vem depois',
      text: 'Uma Condição olha a resposta, o horário ou uma etiqueta e segue por Verdadeiro ou Falso. Delay espera de um segundo a 30 dias. “Outro fluxo” continua em outro desenho. “Transferir” chama uma pessoa e avisa o cliente; “Finalizar conversa” tira da fila o que o fluxo resolveu sozinho.',
    },
    {
      title: 'Teste antes de publicar',
      text: '“Testar” conversa com o rascunho ao lado do desenho, no tempo do celular: o que demora pode ser pulado. “Preview” mostra o telefone do cliente. Em Execuções, “Reprise” passa o rascunho pelas conversas de verdade dos últimos dias e mostra o que mudaria. Nada disso envia mensagens.',
    },
    {
      title: 'Publique, e veja qual fluxo responde',
      text: '“Publicar” mostra o que vai acontecer e liga o fluxo. Cada publicação é uma versão, que pode ser comparada e recuperada; conversas em andamento seguem a sua até o fim. Com vários fluxos, “Quem responde?” mostra qual deles atende uma mensagem e por quê, e deixa mudar a ordem.',
      link: { to: `${paths.conversationFlows}?aba=quem-responde`, label: 'Abrir Quem responde?' },
    },
    {
      title: 'Entenda a fila',
      text: 'Quem conversa com um fluxo aparece em “Com o robô” e não conta como espera. Depois de “Transferir”, a pessoa fica no alto de Aguardando, com “Pediu uma pessoa”, e nenhum fluxo fala com ela até alguém finalizar a conversa. Aceitar uma conversa para o fluxo na hora.',
      link: { to: paths.liveChat, label: 'Abrir o Bate Papo ao vivo' },
    },
    {
      title: 'Pause o robô para um contato',
      text: 'Nos detalhes da conversa, “Pausar robô” para o fluxo em andamento e não deixa outro começar, por uma hora, um dia, uma semana ou até alguém retomar. Ali também se começa um fluxo à mão, com “Começar fluxo”.',
    },
  ],
} as const
