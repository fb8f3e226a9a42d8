import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Link, useSearchParams } from 'react-router-dom'
import BackIcon from '~icons/ic/round-arrow-back'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { PageHeading } from '../../components/layout/page-heading.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { paths } from '../../lib/paths.ts'
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
  if (topic) return <ArticlePage key={topic} topic={topic} />
  return (
    <PageFrame>
      <Box>
        <Button component={Link} to={paths.home} color="inherit" startIcon={<BackIcon />} sx={{ ml: -2, mb: 2 }}>
          Voltar
        </Button>
        <PageHeading title="Central de Ajuda" sentence="Procure uma resposta, ou escreva para quem cuida do Prosa." />
      </Box>
      <QuestionsSection />
      <ResourcesSection />
      <ContactSection />
    </PageFrame>
  )
}
