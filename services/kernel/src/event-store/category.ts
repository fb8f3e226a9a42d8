/** `contact` of `contact-3f2a`. */
export const categoryOf = (stream: string): string => {
  const hyphen = stream.indexOf('-')
  return hyphen === -1 ? stream : stream.slice(0, hyphen)
}
