/** Only what the product does today. */
export const features = [
  {
    title: 'Uma fila para todas as conversas',
    text: 'Aguardando, atendendo, resolvidos. Quem espera há mais de cinco minutos salta aos olhos, e o que já foi aceito sai da fila em todas as telas abertas.',
  },
  {
    title: 'Vários números em um só lugar',
    text: 'Conecte cada WhatsApp do negócio, até o limite do plano, lendo um QR Code. As conversas chegam juntas, e cada resposta sai pelo número em que a pessoa escreveu.',
  },
  {
    title: 'Respostas rápidas e fluxos de conversa',
    text: 'Digite “/” e mande em um toque o horário ou a tabela de preços. E desenhe fluxos que recebem quem escreve, perguntam o que falta saber e passam a conversa para uma pessoa.',
  },
  {
    title: 'Nada se perde',
    text: 'Cada mensagem é gravada antes de aparecer, e cada envio mostra se saiu, se chegou e se foi lido.',
  },
  {
    title: 'Busca em todo o histórico',
    text: 'Um nome, um telefone ou uma palavra da conversa: o Prosa encontra, com ou sem acento, por mais antiga que seja.',
  },
  {
    title: 'Feito para o teclado e para o celular',
    text: 'Aceite, responda e finalize sem tirar a mão do teclado. Na rua, a mesma tela cabe no telefone.',
  },
] as const

/** Invented, and marked as such on the page. */
export const stories = [
  {
    text: 'De manhã chegavam quarenta pedidos de uma vez. Agora a fila mostra quem está esperando, e ninguém fica sem resposta.',
    who: 'Marina, padaria em Curitiba',
  },
  {
    text: 'À noite o fluxo recebe quem escreve e pergunta o nome e o assunto. De manhã eu abro a fila e já sei por onde começar.',
    who: 'Dra. Helena, clínica em Recife',
  },
  {
    text: 'O cliente pergunta do orçamento de março e eu acho em dois segundos. Antes era rolar a tela até cansar.',
    who: 'Caio, oficina em Campinas',
  },
] as const
