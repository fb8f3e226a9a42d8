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
