const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter)

/** `paragraphs` are HTML. */
export const htmlMail = (paragraphs: readonly string[]): string => `<!doctype html>
<html lang="pt-BR">
<body style="margin: 0; padding: 24px; font: 16px/24px Arial, sans-serif; color: #1e211f; background: #ffffff">
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
</body>
</html>
`
