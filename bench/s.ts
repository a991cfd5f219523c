import { normaliseText } from '#shared/text/normalise/normalise.ts'
import { toSentences } from '#shared/text/sentences.ts'
const T: [string,string][] = [['en','I live on Oak St. It is near.'],['en','Elm St. was quiet. On Elm St., we met.'],['en','Mount St. Helens and Lake St. Clair'],['de','Frau v. Stein, Hr. v. Bülow'],['de','in der Goethestr. und Goethestr. 5'],['de','Vgl. S. 45 ff. und vgl. S. 3 f.'],['es','En el s. XIX murió. En el siglo XX.'],['es','salió de la Av. Paulista. C/ Mayor'],['fr','Mme Dupont et Mlle Lise, MM. A et B'],['it','verso le 20.30, la sig.ra Bianchi, il dott. Rossi, alle 8.15'],['pt','no séc. XIX, na R. Augusta, R. 5']]
for (const [l,t] of T) console.log(l, normaliseText(t,l), '|', toSentences(t,l))
