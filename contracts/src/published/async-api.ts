import { catalogue, shownCatalogue } from './catalogue.ts'
import { eventSchema, type JsonSchema, onlyOnce } from './json-schema.ts'

const about = `Os eventos do Prosa, explicados. O mesmo contrato vale para \`GET /api/streams/events\` (NDJSON, com chave) e para o Kafka
(CloudEvents em modo binário: atributos em cabeçalhos \`ce_…\`, \`data\` no valor).

- Campos novos e valores novos de uma lista podem surgir sem aviso; nada some nem muda de tipo sem uma versão nova no nome do tipo.
- Ids são pseudônimos, iguais em todos os eventos de uma empresa. Campos pessoais só existem para a própria empresa, se sua chave os pede.
- Eventos do mesmo \`subject\` estão em ordem. Uma repetição tem o mesmo \`id\`.`

/** Topic in Kafka: `prosa.contacts.chat`. */
export const topicOf = ({ service, category }: { service: string; category: string }): string =>
  `prosa.${service}.${category}`

const messageName = (type: string) => type.replaceAll('.', '_')

const channelOf = (topic: string): JsonSchema => {
  const types = catalogue.filter((entry) => topicOf(entry) === topic).map(({ type }) => type)
  return {
    address: topic,
    messages: Object.fromEntries(
      types.map((type) => [messageName(type), { $ref: `#/components/messages/${messageName(type)}` }]),
    ),
  }
}

/** An AsyncAPI 3.0 document: a channel for each topic, a message for each type. */
export const asyncApi = onlyOnce((): JsonSchema => {
  const topics = [...new Set(catalogue.map(topicOf))]
  return {
    asyncapi: '3.0.0',
    info: { title: 'Eventos do Prosa', version: '1', description: about },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(topics.map((topic) => [topic, channelOf(topic)])),
    operations: Object.fromEntries(
      topics.map((topic) => [`receive ${topic}`, { action: 'send', channel: { $ref: `#/channels/${topic}` } }]),
    ),
    components: {
      messages: Object.fromEntries(
        shownCatalogue().map(({ type, sentence, schema, example }) => [
          messageName(type),
          {
            name: type,
            title: type,
            summary: sentence,
            contentType: 'application/cloudevents+json',
            payload: eventSchema(type, schema),
            examples: [{ payload: { type, data: example } }],
          },
        ]),
      ),
    },
  }
})
