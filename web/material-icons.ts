import icons from 'unplugin-icons/vite'

const wrapping = /^<svg[^>]*>|<\/svg>$/g
const shape = /<(\w+)((?: [\w-]+="[^"]*")*)\/>/g
const attribute = / ([\w-]+)="([^"]*)"/g

const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const pascalCase = (name: string) => camelCase(`-${name}`)

const shapesOf = (svg: string, icon: string): string[] => {
  const drawing = svg.replaceAll(wrapping, '')
  if (drawing.replaceAll(shape, '') !== '') throw new Error(`${icon} is more than a row of shapes`)
  return Array.from(drawing.matchAll(shape), ([, tag, attributes = ''], key) => {
    const named = Array.from(attributes.matchAll(attribute), ([, name = '', value]) => [camelCase(name), value])
    return `createElement('${tag}', ${JSON.stringify({ ...Object.fromEntries(named), key })})`
  })
}

/** Makes `~icons/ic/round-add` an MUI icon. MUI's own package has 43,000 files. */
export const materialIcons = () =>
  icons({
    compiler: {
      extension: 'js',
      compiler: (svg, _collection, icon) => `
        import { createSvgIcon } from '@mui/material/utils'
        import { createElement } from 'react'
        export default createSvgIcon([${shapesOf(svg, icon).join()}], '${pascalCase(icon)}')
      `,
    },
  })
