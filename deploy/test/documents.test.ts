import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(root, path)))
const documents = files.filter((path) => path.endsWith('.md'))

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = '']) => first)
const faults = (find: (document: string, text: string) => readonly string[]) =>
  documents.flatMap((document) => find(document, read(document)).map((fault) => `${document}: ${fault}`))

const headings = (text: string) =>
  matches(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

const isFolder = (path: string) => files.some((file) => file.startsWith(path.endsWith('/') ? path : `${path}/`))

/** `a/{b,c}.ts` → both. */
const spelledOut = (path: string): string[] => {
  const [, before = '', inside = '', after = ''] = /^(.*?)\{([^{}]+)\}(.*)$/.exec(path) ?? []
  return inside === '' ? [path] : inside.split(',').flatMap((one) => spelledOut(before + one + after))
}

/** A file by the end of its path, a folder by the whole; `<name>` and `*` stand for anything. */
const isThere = (path: string) => {
  const pattern = path
    .replace(/^kernel\//, 'services/kernel/src/')
    .replaceAll(/<[^>]+>|\*+\/?|…/g, '\0')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('\0', '.*')
  const whole = new RegExp(path.endsWith('/') ? `^${pattern}` : `(^|/)${pattern}(/|$)`)
  return files.some((file) => whole.test(file))
}

const code = /`([^`\n]+)`/g
const namesFile = /^[\w@{<*./-][\w@{}<>,*./… -]*\.(ts|tsx|mjs|md|json|ya?ml|html|sql)$/
const namesFolder = /^(contracts|projections|services|web|deploy|scripts|docs|kernel)\/[\w{}<>,*./-]*\/$/
/** Made when the product runs or is built, or read from elsewhere. */
const notOurs = /^\.prosa\/|^repos\/|^(conta|contatos|manifest)\.json$/

describe('documents', () => {
  it('link to what is there', () => {
    expect(
      faults((document, text) =>
        matches(text, /\]\(([^)\s]+)\)/g)
          .filter((target) => !/^(https?|mailto):/.test(target))
          .filter((target) => {
            const [path = '', anchor] = target.split('#')
            const linked = path === '' ? document : join(dirname(document), path)
            if (!files.includes(linked)) return !isFolder(linked)
            return anchor !== undefined && !headings(read(linked)).includes(anchor)
          }),
      ),
    ).toEqual([])
  })

  it('name files and folders that are there', () => {
    expect(
      faults((_, text) =>
        matches(text, code)
          .filter((name) => (namesFile.test(name) || namesFolder.test(name)) && !/\s|^https?:/.test(name))
          .flatMap(spelledOut)
          .filter((name) => !notOurs.test(name) && !isThere(name)),
      ),
    ).toEqual([])
  })

  it('name commands that are there', () => {
    const isCommand = (name: string) => name in scripts
    const inText = (text: string) => [
      ...matches(text, /npm run ([\w:-]+)/g).filter((name) => !isCommand(name)),
      ...matches(text, /npm run test:long ([\w-]+)/g).filter(
        (name) => name !== 'mutations' && !files.some((file) => file.endsWith('.test.ts') && file.includes(name)),
      ),
      ...matches(text, /npm run bench ([\w-]+)/g).filter((name) => !isThere(`${name}.bench.ts`)),
      ...matches(text, /vitest run (?:--project node )?([\w./-]+)/g).filter(
        (part) => !files.some((file) => file.includes(part)),
      ),
    ]
    expect(faults((_, text) => inText(text))).toEqual([])
  })

  it('name settings that the sources read', () => {
    const sources = files
      .filter(
        (path) => /^(services|deploy|scripts|docker|web\/vite)/.test(path) && /\.(ts|mjs|yml)$|Dockerfile$/.test(path),
      )
      .map(read)
      .join('\n')
    expect(
      faults((_, text) =>
        matches(text, /`?(PROSA_[A-Z0-9_]*[A-Z0-9])\b(?!…)/g).filter((name) => !sources.includes(name)),
      ),
    ).toEqual([])
  })

  it('are there where an alert rule names one', () => {
    const runbooks = matches(read('deploy/operations/alerts.yml'), /^ +runbook: (\S+)$/gm)
    expect(runbooks.length).toBeGreaterThan(10)
    expect(runbooks.filter((path) => !files.includes(path))).toEqual([])
  })

  it('show the picture of the README', () => {
    expect(read('README.md')).toContain('](docs/pictures/live-chat.png)')
    expect(files).toContain('docs/pictures/live-chat.png')
  })
})

describe('decisions', () => {
  const folder = 'docs/decisions'
  const pages = files.filter((path) => path.startsWith(`${folder}/0`))
  const numberOf = (path: string) => basename(path).slice(0, 4)
  const numbers = new Set(pages.map(numberOf))

  it('have a number each, a status and a page of at most 60 lines', () => {
    expect(numbers.size).toBe(pages.length)
    for (const page of pages) {
      const lines = read(page).trimEnd().split('\n')
      expect(lines[0], page).toMatch(new RegExp(`^# ${numberOf(page)} \\S`))
      expect(lines[2], page).toMatch(/^Status: (accepted|replaced)(, \d{4}-\d\d-\d\d)?/)
      expect(lines.length, page).toBeLessThanOrEqual(60)
    }
  })

  it('are listed once, in order, with their titles', () => {
    const listed = [...read(`${folder}/README.md`).matchAll(/^\| \[(\d{4} [^\]]+)\]\((\d[^)]+)\)/gm)]
    expect(listed.map(([, title, file]) => [title, `${folder}/${file}`])).toEqual(
      pages.sort().map((page) => [read(page).split('\n')[0]?.slice(2), page]),
    )
  })

  it('are there where a document or a source names one by its number', () => {
    const unknown = (text: string) =>
      matches(text, /(?:\(|\[|decisions?[/ ]|, |and )(00\d\d)\b/g).filter((number) => !numbers.has(number))
    expect(faults((document, text) => (document.startsWith(folder) ? [] : unknown(text)))).toEqual([])
    expect(
      files
        .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
        .flatMap((path) => matches(read(path), /docs\/decisions\/([\w-]+)/g).map((name) => [path, name] as const))
        .filter(([, name]) => !pages.some((page) => page.startsWith(`${folder}/${name}`)) && name !== 'specification'),
    ).toEqual([])
  })

  it('link to the right number', () => {
    expect(
      faults((_, text) =>
        [...text.matchAll(/\[(00\d\d)\]\(([^)]+)\)/g)]
          .filter(([, number = '', target = '']) => !basename(target).startsWith(number))
          .map(([all]) => all),
      ),
    ).toEqual([])
  })
})

describe('the glossary', () => {
  it('has at most 60 terms, each once', () => {
    const terms = matches(read('docs/glossary.md'), /^\| (?!term)([a-z][^|]*) \|/gm).flatMap((cell) => cell.split(', '))
    expect(terms.length).toBeGreaterThan(40)
    expect(terms.length).toBeLessThanOrEqual(60)
    expect(new Set(terms).size).toBe(terms.length)
  })
})
