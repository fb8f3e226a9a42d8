import type { Instant } from '@prosa/contracts/values/instant'
import { withheldCategories } from './shown-data.ts'

const moment = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'long',
  timeStyle: 'short',
})

const left = Object.values(withheldCategories)
  .map((reason) => `- ${reason};`)
  .join('\n')

const common = `Os arquivos .json e .ndjson são texto: abrem em qualquer editor, em UTF-8. Nos .ndjson, cada linha é um registro.
As horas estão em UTC, como em 2026-11-23T15:00:00.000Z (12:00 em Brasília).
O que foi apagado aparece como [apagado], e o que é de outra pessoa, como [dado de outra pessoa].`

const events = `em ordem, com data, autor, motivo e
  uma frase em português`

export const readMe = (scope: 'account' | 'contact', madeAt: Instant): string => {
  const when = `Cópia feita em ${moment.format(Date.parse(madeAt))} (horário de Brasília).`
  if (scope === 'contact')
    return `Dados de um contato no Prosa
${when}

- contato.json: nome, telefone, situação, etiquetas, notas e contatos unidos a este;
- conversas/: todas as mensagens, na ordem da conversa;
- midia/: fotos, áudios, vídeos e documentos da conversa;
- eventos/contato.ndjson: tudo o que foi registrado sobre o contato, ${events}.

${common}
`
  return `Seus dados no Prosa
${when}

- conta.json: perfil, empresa, horário, assinatura, compras, conexões, respostas rápidas, etiquetas, fluxos e uso da
  conta em navegadores;
- foto.webp: a foto da conta, se houver;
- contatos.json: cada contato com nome, telefone, situação, etiquetas, notas e contatos unidos;
- conversas/: um arquivo por contato, com todas as mensagens, na ordem da conversa;
- fluxos/: o rascunho de cada fluxo, que o Prosa importa; as versões publicadas estão no histórico da conta;
- midia/: fotos, áudios, vídeos e documentos das conversas, com o nome que as conversas citam;
- eventos/conta.ndjson: o histórico da conta, das compras e das conexões, ${events};
- eventos/leituras.ndjson: quando quem administra o Prosa leu listas em que esta conta está com as outras, e por quê;
- eventos/contatos/: o mesmo de cada contato, também dos que foram apagados ou unidos a outro;
- eventos/midia.ndjson: o que houve com cada arquivo.

${common}

Não estão nesta cópia:
- senhas, chaves e códigos de acesso, que nem nós conseguimos ler ou que abririam a conta;
${left}
- arquivos que já foram apagados.
`
}
