import './loading-screen.css'

/** A spinner and 'Carregando...', in the middle of whatever holds it. Needs no MUI, so it can stand before anything loads. */
export const LoadingScreen = ({ label = 'Carregando...' }: { label?: string }) => (
  <div className="loading-screen" role="status">
    <span className="loading-ring" aria-hidden="true" />
    {label}
  </div>
)
