import Box from '@mui/material/Box'
import { useSearchParams } from 'react-router-dom'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { BackLink, PageHeading } from '../../components/layout/page-heading.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { ArticlePage } from './article-page.tsx'
import { topicOf } from './articles.ts'
import { ContactSection } from './contact-section.tsx'
import { QuestionsSection } from './questions-section.tsx'
import { ResourcesSection } from './resources-section.tsx'

export const HelpPage = () => {
  const user = useCurrentUser()
  const [searchParams] = useSearchParams()
  const topic = topicOf(searchParams.get('tema'))
  if (!user) return <Spinner />
  const part = Number(searchParams.get('parte'))
  if (topic) return <ArticlePage key={`${topic} ${part}`} topic={topic} meant={part > 0 ? part : null} />
  return (
    <PageFrame>
      <Box>
        <BackLink />
        <PageHeading title="Central de Ajuda" sentence="Procure uma resposta, ou escreva para quem cuida do Prosa." />
      </Box>
      <QuestionsSection />
      <ResourcesSection />
      <ContactSection />
    </PageFrame>
  )
}
