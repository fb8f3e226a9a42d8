import { boundsOf, fileNameOf, pathOf, type Question } from './question.ts'

export const tools = ['curl', 'duckdb', 'python', 'replay'] as const
export type Tool = (typeof tools)[number]

export const toolNames: Record<Tool, string> = {
  curl: 'curl',
  duckdb: 'DuckDB',
  python: 'Python',
  replay: 'npm run replay',
}

/** For a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A program's personal fields come with its key, not with the request. */
const addressOf = (question: Question, origin: string) => `${origin}${pathOf({ ...question, personal: false })}`

const curlTo = (question: Question, origin: string, output: string) =>
  `curl --fail --compressed -H "Authorization: Bearer $PROSA_KEY" \\\n  ${quoted(addressOf(question, origin))} \\\n  ${output}`

const sqlOf = ({ table, format }: Question, file: string): string => {
  const source = {
    ndjson: `read_json('${file}', format = 'newline_delimited')`,
    csv: `read_csv('${file}')`,
    parquet: `read_parquet('${file}')`,
  }[format]
  return table === ''
    ? `select type, count(*) as events from ${source} group by type order by events desc`
    : `select * from ${source} limit 20`
}

const python = (question: Question, origin: string): string => {
  const head = [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(addressOf(question, origin))},`,
    '    headers={"Authorization": "Bearer " + os.environ["PROSA_KEY"]},',
    ')',
    'with urllib.request.urlopen(request) as reply:',
  ]
  if (question.format !== 'ndjson')
    return [
      ...['import shutil', ...head],
      `    with open(${JSON.stringify(fileNameOf(question))}, "wb") as file:`,
      '        shutil.copyfileobj(reply, file)',
    ].join('\n')
  const shown = question.table === '' ? 'row["time"], row["type"], row["data"]' : 'row'
  return [
    ...head,
    '    for line in reply:',
    '        if line.strip():',
    '            row = json.loads(line)',
    `            print(${shown})`,
  ].join('\n')
}

const replay = (question: Question, origin: string): string => {
  const { services, types, period, after } = question
  const { since, until } = boundsOf(question)
  const from = period === 'position' ? after.trim() : since
  const options = [
    `--url ${quoted(origin)}`,
    ...services.map((service) => `--service ${quoted(service)}`),
    ...types.map((type) => `--type ${quoted(type)}`),
    ...(from ? [`--from ${quoted(from)}`] : []),
    ...(until ? [`--until ${quoted(until)}`] : []),
    `--to ${quoted(fileNameOf(question))}`,
  ]
  return `npm run replay -- ${options.join(' \\\n  ')}`
}

/** Text for the tool, with the key in `PROSA_KEY`; undefined where the tool has no such thing. */
export const snippetOf = (tool: Tool, question: Question, origin: string): string | undefined => {
  const file = fileNameOf(question)
  if (tool === 'curl') return curlTo(question, origin, `-o ${quoted(file)}`)
  if (tool === 'duckdb')
    return `${curlTo(question, origin, `-o ${quoted(file)}`)} &&\n  duckdb -c "${sqlOf(question, file)}"`
  if (tool === 'python') return python(question, origin)
  return question.table === '' ? replay(question, origin) : undefined
}
