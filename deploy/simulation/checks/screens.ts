import { isDeepStrictEqual } from 'node:util'
import type { Town } from '../history/town.ts'

interface ShownMessage {
  id: string
  timestamp: string
}

/** Both processes answer the same GET alike, in the same order. */
export const wrongScreens = async ({ cluster, shops }: Town): Promise<string[]> => {
  const problems: string[] = []
  const [first, second] = cluster.alive
  if (!first || !second) return problems
  for (const { browser, isErased, id } of shops) {
    if (isErased) continue
    const list = '/api/whatsapp/contacts'
    const [one, other] = [
      await browser.askOf<{ id: string }[]>(first, 'GET', list),
      await browser.askOf(second, 'GET', list),
    ]
    if (one.status === 403) continue
    if (one.status !== 200) problems.push(`the contacts of ${id} were answered ${one.status}`)
    if (!isDeepStrictEqual(one, other)) problems.push(`two processes show other contacts of ${id}`)
    for (const contact of one.status === 200 ? one.body : []) {
      const path = `${list}/${contact.id}/messages`
      const shown = await browser.askOf<ShownMessage[]>(first, 'GET', path)
      const again = await browser.askOf<ShownMessage[]>(second, 'GET', path)
      if (!isDeepStrictEqual(shown, again)) problems.push(`two processes show another conversation with ${contact.id}`)
      const ids = shown.status === 200 ? shown.body.map((each) => each.id) : []
      if (new Set(ids).size < ids.length) problems.push(`a message stands twice in the conversation with ${contact.id}`)
    }
  }
  return problems
}
