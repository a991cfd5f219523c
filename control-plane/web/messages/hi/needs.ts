// The words for what is missing, in Hindi: models by the work that they make possible.

export const strings = {
  /** Before the name of the model. */
  needs: {
    speech: 'स्वाभाविक स्पीच के लिए ज़रूरी:',
    cloning: 'आपकी आवाज़ों में बोलने के लिए ज़रूरी:',
    description: 'विवरण से आवाज़ बनाने के लिए ज़रूरी:',
    recognition: 'शब्द पहचानने के लिए ज़रूरी:',
    dictation: 'डिक्टेशन के लिए ज़रूरी:',
    speakers: 'वक्ताओं को अलग पहचानने के लिए ज़रूरी:',
    background: 'पुरानी आवाज़ें हटाकर संगीत और शोर रखने के लिए ज़रूरी:',
    translation: 'अनुवाद के लिए ज़रूरी:',
  },
  /** The same as a whole sentence, where no button follows. */
  missing: {
    speech: 'स्वाभाविक स्पीच का मॉडल अभी इंस्टॉल नहीं है।',
    cloning: 'आपकी आवाज़ों में बोलने वाला मॉडल अभी इंस्टॉल नहीं है।',
    description: 'विवरण से आवाज़ बनाने वाला मॉडल अभी इंस्टॉल नहीं है।',
    recognition: 'शब्द पहचानने वाला मॉडल अभी इंस्टॉल नहीं है।',
    dictation: 'डिक्टेशन का मॉडल अभी इंस्टॉल नहीं है।',
    speakers: 'वक्ताओं को अलग पहचानने वाला मॉडल अभी इंस्टॉल नहीं है।',
    background: 'आवाज़ों को संगीत और शोर से अलग करने वाला मॉडल अभी इंस्टॉल नहीं है।',
    translation: 'इस अनुवाद का मॉडल अभी इंस्टॉल नहीं है।',
  },
  fits: 'जगह काफ़ी',
  tight: 'जगह कम',
  label: (work: string, model: string) => `${work} ${model}`,
  install: 'इंस्टॉल करें',
  installOf: (model: string) => `${model} इंस्टॉल करें`,
  cancelOf: (model: string) => `${model} का डाउनलोड रद्द करें`,
  waiting: 'दूसरे डाउनलोड की प्रतीक्षा में',
  progressOf: (model: string) => `${model} का डाउनलोड`,
  progress: (done: string, total: string) => `${total} में से ${done}`,
  failed: 'डाउनलोड नहीं हो सका।',
  askOwner: 'इस स्टूडियो का मालिक इसे इंस्टॉल कर सकता है।',
}
