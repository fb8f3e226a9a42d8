import type { Endpoint, Example } from '@prosa/contracts/http/endpoint'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'

type Call = Pick<Endpoint, 'method' | 'path'> & { example: Example }

/** `$CONTACT_ID` is a variable of the reader's: an environment variable in every language. */
const variableIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^\$([A-Z_]+)$/.exec(value)?.[1] : undefined

const addressOf = ({ path, example: { params = {}, query } }: Call, written: (name: string) => string): string => {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => written(variableIn(params[name]) ?? name))
  return query ? `${filled}?${new URLSearchParams(query)}` : filled
}

const isCommand = ({ method }: Call) => method !== 'GET'

const curl = (call: Call): string => {
  const { method, example } = call
  const lines = [
    `curl "$PROSA_URL${addressOf(call, (name) => `$${name}`)}"`,
    ...(method === 'GET' || method === 'POST' ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $PROSA_KEY"',
    ...(isCommand(call) ? ['-H "Idempotency-Key: $REQUEST_ID"'] : []),
    ...(example.body ? ['-H "Content-Type: application/json"', '-d @- <<EOF'] : []),
  ]
  const body = example.body ? ['', JSON.stringify(example.body), 'EOF'].join('\n') : ''
  return `${lines.join(' \\\n  ')}${body}`
}

const fieldsOf = (
  body: Readonly<Record<string, unknown>>,
  read: (name: string) => string,
  name: (key: string) => string,
) =>
  Object.entries(body)
    .map(([key, value]) => {
      const variable = variableIn(value)
      return `${name(key)}: ${variable === undefined ? JSON.stringify(value) : read(variable)}`
    })
    .join(', ')

const typeScript = (call: Call): string => {
  const { method, example } = call
  const address = addressOf(call, (name) => `\${process.env.${name}}`)
  const body = example.body && fieldsOf(example.body, (name) => `process.env.${name}`, String)
  return [
    `const response = await fetch(\`\${process.env.PROSA_URL}${address}\`, {`,
    ...(isCommand(call) ? [`  method: '${method}',`] : []),
    '  headers: {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the example
    '    authorization: `Bearer ${process.env.PROSA_KEY}`,',
    ...(isCommand(call) ? [`    '${idempotencyKeyHeader}': crypto.randomUUID(),`] : []),
    ...(body ? ["    'content-type': 'application/json',"] : []),
    '  },',
    ...(body ? [`  body: JSON.stringify({ ${body} }),`] : []),
    '})',
    'const answer = await response.json()',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the example
    'if (!response.ok) throw new Error(`${answer.type}: ${answer.title}`)',
    'console.log(answer)',
  ].join('\n')
}

const python = (call: Call): string => {
  const { method, example } = call
  const address = addressOf(call, (name) => `{os.environ['${name}']}`)
  const body =
    example.body &&
    fieldsOf(
      example.body,
      (name) => `os.environ["${name}"]`,
      (key) => `"${key}"`,
    )
  return [
    `import ${body ? 'json, ' : ''}os, urllib.request${isCommand(call) ? ', uuid' : ''}`,
    '',
    'request = urllib.request.Request(',
    `    f"{os.environ['PROSA_URL']}${address}",`,
    ...(isCommand(call) ? [`    method="${method}",`] : []),
    '    headers={',
    '        "Authorization": f"Bearer {os.environ[\'PROSA_KEY\']}",',
    ...(isCommand(call) ? ['        "Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(body ? ['        "Content-Type": "application/json",'] : []),
    '    },',
    ...(body ? [`    data=json.dumps({${body}}).encode(),`] : []),
    ')',
    'print(urllib.request.urlopen(request).read().decode())',
  ].join('\n')
}

const languages = { sh: curl, ts: typeScript, python }

/** Markdown: the request in each language. A test runs them all (`deploy/test/api-examples.test.ts`). */
export const codeExamples = (call: Call): string =>
  Object.entries(languages)
    .map(([name, write]) => `\`\`\`${name}\n${write(call)}\n\`\`\``)
    .join('\n\n')
