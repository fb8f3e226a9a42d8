import './loading-screen.css'

/** Without MUI: it renders before anything else loads. */
export const LoadingScreen = ({ label = 'Carregando...' }: { label?: string }) => (
  <div className="loading-screen" role="status">
    <span className="loading-ring" aria-hidden="true" />
    {label}
  </div>
)
