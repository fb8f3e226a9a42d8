import { hash } from 'node:crypto'
import type { PublishedStream } from '@prosa/contracts/http/streams'
import { topicOf } from '@prosa/contracts/published/async-api'
import { shownCatalogue } from '@prosa/contracts/published/catalogue'
import { setContentSecurityPolicy } from '@prosa/kernel/http/security-headers'
import type { FastifyInstance } from 'fastify'

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:68rem;padding:1.5rem 1rem 4rem}
nav ul{columns:18rem;padding-left:1.2rem}
h2{margin-top:3rem;border-bottom:1px solid;padding-bottom:.3rem}
h3{margin:2rem 0 .3rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)}
code,pre{font:.9rem/1.5 ui-monospace,monospace}
pre{overflow-x:auto;padding:.75rem;border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:.4rem}`

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
const code = (text: string): string => `<code>${escaped(text)}</code>`

type Field = PublishedStream['fields'][number]

const notesOf = ({ unit, values, pseudonymOf, isPersonal, isOptional }: Field): string =>
  [
    ...(unit === undefined ? [] : [`em ${escaped(unit)}`]),
    ...(values === undefined ? [] : [`valores: ${values.map(code).join(', ')}`]),
    ...(pseudonymOf === undefined ? [] : [`pseudônimo de ${escaped(pseudonymOf)}`]),
    ...(isPersonal ? ['dado pessoal: só com a chave da própria conta que o pede'] : []),
    ...(isOptional ? ['pode faltar'] : []),
  ].join('; ')

const fieldRow = (field: Field): string =>
  `<tr><td>${code(field.name)}</td><td>${escaped(field.sentence)}</td><td>${notesOf(field)}</td></tr>`

const eventSection = ({ type, sentence, since, fields, example }: PublishedStream): string => `
<h3 id="${type}">${code(type)}</h3>
<p>${escaped(sentence)} Desde ${since.split('-').reverse().join('/')}.</p>
${
  fields.length === 0
    ? '<p>Sem campos.</p>'
    : `<div class="wide" tabindex="0" role="region" aria-label="Campos de ${type}"><table><thead><tr><th scope="col">Campo</th><th scope="col">O que é</th><th scope="col">Além disso</th></tr></thead><tbody>${fields.map(fieldRow).join('')}</tbody></table></div>
<pre tabindex="0" aria-label="Exemplo de ${type}">${escaped(JSON.stringify(example, null, 2))}</pre>`
}`

const topicSection = (topic: string, entries: readonly PublishedStream[]): string =>
  `<section><h2 id="${topic}">${code(topic)}</h2>${entries.map(eventSection).join('')}</section>`

/** Every published event for people, from the catalogue that programs get as JSON. */
const eventsPage = (): string => {
  const topics = new Map<string, PublishedStream[]>()
  for (const entry of shownCatalogue()) {
    const topic = topicOf(entry)
    topics.set(topic, [...(topics.get(topic) ?? []), entry])
  }
  const names = [...topics.keys()]
  return `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Eventos do Prosa</title><style>${style}</style></head><body><main>
<h1>Eventos do Prosa</h1>
<p>Tudo o que acontece, como o Prosa o publica: por <code>GET /api/streams/events</code> (um CloudEvent em JSON por linha, com uma chave) e no Kafka, um tópico para cada grupo abaixo.</p>
<ul>
<li>Campos e valores novos podem surgir sem aviso; nada some nem muda de tipo sem outra versão no nome do tipo.</li>
<li>Ids são pseudônimos, iguais em todos os eventos de uma conta. Dados pessoais só vão à própria conta, se a chave os pede.</li>
<li>Eventos do mesmo <code>subject</code> vêm em ordem. Uma repetição tem o mesmo <code>id</code>.</li>
</ul>
<p>Para programas: <a href="/api/streams/asyncapi">o mesmo como AsyncAPI 3</a> e <a href="/api/streams">como catálogo em JSON</a>. <a href="/api/docs">As rotas da API</a>.</p>
<nav aria-label="Grupos"><ul>${names.map((name) => `<li><a href="#${name}">${code(name)}</a></li>`).join('')}</ul></nav>
${[...topics].map(([topic, entries]) => topicSection(topic, entries)).join('\n')}
</main></body></html>
`
}

/** `/api/docs/eventos` */
export const serveEventsPage = (app: FastifyInstance): void => {
  const page = eventsPage()
  const styleSource = `'sha256-${hash('sha256', style, 'base64')}'` as const
  app.get('/api/docs/eventos', (_, reply) =>
    setContentSecurityPolicy(reply, { styleSource })
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page),
  )
}
