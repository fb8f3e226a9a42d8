import { createHash } from 'node:crypto'
import { domainToUnicode } from 'node:url'

/** Copied from the landing page's build. */
const style = `
:root{color-scheme:light dark;--bg:light-dark(#f6f5f1,#121413);--surface:light-dark(#fff,#1a1d1b);--border:light-dark(#ddd9cf,#2e332f);--text:light-dark(#1e211f,#eceeea);--muted:light-dark(#5b6059,#a5ada6);--primary:light-dark(#0b6b57,#63cdb2);--primary-hover:light-dark(#095847,#84dac4);--on-primary:light-dark(#fff,#06251d);--info:light-dark(#1f5fa8,#8fbff2);--warn-soft:light-dark(#fff1cc,#3a2e10)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;align-content:center;justify-items:center;padding:32px 16px;background:var(--bg);color:var(--text);font:400 .9375rem/1.375rem "Inter Variable",system-ui,sans-serif;-webkit-font-smoothing:antialiased}
main{display:grid;gap:16px;width:100%;max-width:560px;padding:32px;border:1px solid var(--border);border-radius:10px;background:var(--surface)}
h1,p{margin:0;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:2rem;font-weight:600;letter-spacing:-.02em;text-wrap:balance}
h1 strong{display:block;color:var(--primary);font-weight:600}
.logo{display:inline-flex;align-items:center;gap:8px;font-size:1.25rem;line-height:1.75rem;font-weight:600;letter-spacing:-.02em}
.logo svg{width:28px;height:28px}
.mark{fill:var(--primary)}
.lines{fill:none;stroke:var(--on-primary);stroke-width:2.6;stroke-linecap:round}
.muted{color:var(--muted)}
.address{padding:12px 16px;border:1px solid var(--border);border-radius:6px;background:var(--bg);font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"Liberation Mono",monospace;font-size:.875rem;max-height:9rem;overflow:auto}
.warning{padding:12px 16px;border-radius:6px;background:var(--warn-soft)}
.go{justify-self:start;display:inline-flex;align-items:center;min-height:48px;padding:12px 24px;border-radius:6px;background:var(--primary);color:var(--on-primary);font-weight:500;text-decoration:none}
.go:hover{background:var(--primary-hover)}
:focus-visible{outline:2px solid var(--info);outline-offset:2px}
@media(max-width:480px){main{padding:24px 16px}.go{justify-self:stretch;justify-content:center}}
`

/** For the content security policy. */
export const linkPageStyleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'` as const

const logo = `<span class="logo"><svg viewBox="0 0 32 32" aria-hidden="true"><path class="mark" d="M9 3h14a6 6 0 0 1 6 6v9a6 6 0 0 1-6 6h-8.2l-6.1 4.7A1.05 1.05 0 0 1 7 27.9V23.7A6 6 0 0 1 3 18V9a6 6 0 0 1 6-6Z"/><path class="lines" d="M9.5 11h13M9.5 16.2h8"/></svg>Prosa</span>`

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => marks[mark] ?? mark)

/** `title` and `content` are HTML. */
const page = (title: string, content: string): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${logo}
${content}
</main>
</body>
</html>
`

export type LinkEnd = 'unknown' | 'ended' | 'blocked'

const ends: Record<LinkEnd, { status: 404 | 410; title: string; sentence: string }> = {
  unknown: {
    status: 404,
    title: 'Este link não leva mais a lugar nenhum',
    sentence: 'Confira se ele está completo, ou peça um novo a quem o enviou.',
  },
  ended: {
    status: 410,
    title: 'Este link não vale mais',
    sentence: 'Quem o enviou não o mantém mais no ar. Se ainda precisar dele, peça um novo.',
  },
  blocked: {
    status: 410,
    title: 'Este link foi bloqueado',
    sentence: 'Ele levava a um endereço que pode não ser seguro, e por isso não abre mais. Não é preciso fazer nada.',
  },
}

export const endedPage = (end: LinkEnd): { status: 404 | 410; html: string } => {
  const { status, title, sentence } = ends[end]
  return { status, html: page(title, `<h1>${title}</h1>\n<p class="muted">${sentence}</p>`) }
}

/** Returns HTML. */
const warningsOf = ({ hostname, username, password }: URL): string[] => {
  const warnings: string[] = []
  const written = domainToUnicode(hostname)
  if (written !== '' && written !== hostname)
    warnings.push(
      `O nome deste site tem letras fora do comum, que podem imitar outro. Com elas ele aparece como “${escaped(written)}”.`,
    )
  if (username !== '' || password !== '')
    warnings.push(`O que vem antes de “@” não faz parte do nome do site: ele é só “${escaped(hostname)}”.`)
  return warnings
}

/** Host names appear as punycode ('xn--…'), so look-alike letters are visible. */
export const targetPage = (href: string): string => {
  const url = new URL(href)
  const warnings = warningsOf(url).map((warning) => `<p class="warning">${warning}</p>\n`)
  return page(
    `Este link leva a ${escaped(url.host)}`,
    `<h1>Este link leva a <strong>${escaped(url.host)}</strong></h1>
<p class="muted">O Prosa não conhece este site. Confira o endereço antes de continuar:</p>
${warnings.join('')}<p class="address" tabindex="0">${escaped(url.href)}</p>
<a class="go" href="${escaped(url.href)}" rel="noopener noreferrer nofollow">Continuar</a>
<p class="muted">Você não esperava este link? Feche esta página.</p>`,
  )
}
