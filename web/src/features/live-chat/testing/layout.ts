import { vi } from 'vitest'

/** jsdom has no layout: lists are 680 px high, rows of the history `rowHeight`. */
export const standInForLayout = (rowHeight = 200) => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(680)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(340)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(rowHeight)
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function (this: Element) {
    const content = this.querySelector<HTMLElement>('[role="log"]')
    return content ? Number.parseFloat(content.style.height) || 0 : 0
  })
  Element.prototype.scrollTo = function (this: Element, to?: ScrollToOptions | number) {
    this.scrollTop = typeof to === 'object' ? (to.top ?? 0) : 0
    // Asynchronous, as in a browser.
    queueMicrotask(() => this.dispatchEvent(new Event('scroll')))
  }
}

/** For media queries of widths; call before rendering. */
export const resizableScreen = (pixels: number) => {
  let width = pixels
  const queries = new Set<{ list: EventTarget; matches: () => boolean }>()
  vi.stubGlobal('matchMedia', (media: string) => {
    const [, side, limit] = /\((min|max)-width:\s*([\d.]+)px\)/.exec(media) ?? []
    const matches = () => (side === 'min' ? width >= Number(limit) : side === 'max' && width <= Number(limit))
    const list = Object.defineProperty(Object.assign(new EventTarget(), { media }), 'matches', { get: matches })
    queries.add({ list, matches })
    return list
  })
  return {
    resize(to: number) {
      const before = [...queries].map(({ list, matches }) => ({ list, matches, was: matches() }))
      width = to
      for (const { list, matches, was } of before) if (matches() !== was) list.dispatchEvent(new Event('change'))
    },
  }
}
