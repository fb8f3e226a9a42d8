import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { BackLink, PageHeading } from '../../components/layout/page-heading.tsx'
import { panelStyle } from '../../components/layout/panel.tsx'
import { paths } from '../../lib/paths.ts'
import { type Article, articles, type Topic } from './articles.ts'

type Part = Article['parts'][number]

/** The user may have chosen another colour scheme than the system's. */
const Picture = ({ name, alt, width, height }: NonNullable<Part['picture']>) => (
  <Box
    sx={{
      '& img': { ...panelStyle, maxWidth: '100%', height: 'auto' },
      // `light-dark()` accepts colours only.
      '& .dark': { display: 'none' },
      '@media (prefers-color-scheme: dark)': {
        'html:not([data-theme="light"]) & .light': { display: 'none' },
        'html:not([data-theme="light"]) & .dark': { display: 'block' },
      },
      'html[data-theme="dark"] & .light': { display: 'none' },
      'html[data-theme="dark"] & .dark': { display: 'block' },
    }}
  >
    {(['light', 'dark'] as const).map((theme) => (
      <img
        key={theme}
        className={theme}
        src={`${name}-${theme}.webp`}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
      />
    ))}
  </Box>
)

interface PartProps {
  part: Part
  number: number | null
  /** It was searched for: comes into view, with the focus. */
  isMeant: boolean
}

const PartOf = ({ part, number, isMeant }: PartProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isMeant) heading.current?.focus()
  }, [isMeant])
  return (
    <Box component="li" sx={{ display: 'flex', gap: 4, minWidth: 0 }}>
      {number !== null && (
        <Box
          aria-hidden="true"
          sx={{
            flex: 'none',
            display: 'grid',
            placeItems: 'center',
            width: 'var(--target-small)',
            height: 'var(--target-small)',
            borderRadius: '50%',
            bgcolor: 'primarySoft',
            color: 'primary.main',
            typography: 'subtitle2',
          }}
        >
          {number}
        </Box>
      )}
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0, flex: 1, justifyItems: 'start' }}>
        <Typography
          variant="h2"
          ref={heading}
          tabIndex={-1}
          sx={{ scrollMarginTop: 'var(--header-height)', outlineOffset: '2px' }}
        >
          {part.title}
        </Typography>
        <Typography sx={{ textWrap: 'pretty', maxWidth: 'var(--reading-width)' }}>{part.text}</Typography>
        {part.picture && <Picture {...part.picture} />}
        {part.link && (
          <Button component={Link} to={part.link.to} variant="outlined" color="inherit">
            {part.link.label}
          </Button>
        )}
      </Box>
    </Box>
  )
}

export const ArticlePage = ({ topic, meant }: { topic: Topic; meant: number | null }) => {
  const { title, sentence, isNumbered, parts }: Article = articles[topic]
  return (
    <PageFrame>
      <Box>
        <BackLink to={paths.help} label="Central de Ajuda" />
        <PageHeading title={title} sentence={sentence} />
      </Box>
      <Box component={isNumbered ? 'ol' : 'ul'} sx={{ display: 'grid', gap: 8, m: 0, p: 0, listStyle: 'none' }}>
        {parts.map((part, index) => (
          <PartOf key={part.title} part={part} number={isNumbered ? index + 1 : null} isMeant={meant === index + 1} />
        ))}
      </Box>
    </PageFrame>
  )
}
