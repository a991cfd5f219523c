// The words for what is missing, in Italian: models by the work that they make possible.

export const strings = {
  /** Before the name of the model. */
  needs: {
    speech: 'Per una voce naturale serve',
    cloning: 'Per usare le tue voci serve',
    description: 'Per creare voci da una descrizione serve',
    recognition: 'Per riconoscere le parole serve',
    dictation: 'Per la dettatura serve',
    speakers: 'Per distinguere i parlanti serve',
    background: 'Per tenere musica e rumori senza le voci originali serve',
    translation: 'Per tradurre serve',
  },
  /** The same as a whole sentence, where no button follows. */
  missing: {
    speech: 'Non è ancora installato un modello per una voce naturale.',
    cloning: 'Non è ancora installato un modello che usa le tue voci.',
    description: 'Non è ancora installato un modello che crea voci da una descrizione.',
    recognition: 'Non è ancora installato un modello che riconosce le parole.',
    dictation: 'Non è ancora installato un modello per la dettatura.',
    speakers: 'Non è ancora installato un modello che distingue chi parla.',
    background: 'Non è ancora installato un modello che separa le voci da musica e rumori.',
    translation: 'Non è ancora installato un modello per questa traduzione.',
  },
  fits: 'adatto',
  tight: 'al limite',
  label: (work: string, model: string) => `${work} ${model}`,
  install: 'Installa',
  installOf: (model: string) => `Installa ${model}`,
  cancelOf: (model: string) => `Annulla il download di ${model}`,
  waiting: 'in attesa di un altro download',
  progressOf: (model: string) => `Download di ${model}`,
  progress: (done: string, total: string) => `${done} di ${total}`,
  failed: 'Download non riuscito.',
  askOwner: 'Può installarlo chi possiede questo studio.',
}
