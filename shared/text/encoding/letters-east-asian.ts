// The most common characters of Chinese, Japanese and Korean, in the order of how often they occur in speech.
import type { LetterTable } from './letter-table.ts'

const SIMPLIFIED =
  '的我你是了不一在这人有他们来么个那好到大说就会什上要没吧吗呢都和可以去看得对为后想知道过时也地她出下自能生现家还多样里天子很中之用只当开心小给事些把走因点让做回所做它国年找经真如话此然被谁怎起前从成而但前法发面谢请先手实已同等今意问长太快动再见女孩与老爱本行别间两次却您跟钱应该情又安笑三晚高朋友啊父母无该头高兴死爸妈水门听打感觉正车进欢位住直最每比定机相难许带叫儿气东西'
const TRADITIONAL =
  '的我你是了不一在這人有他們來麼個那好到大說就會什上要沒吧嗎呢都和可以去看得對為後想知道過時也地她出下自能生現家還多樣裡天子很中之用只當開心小給事些把走因點讓做回所它國年找經真如話此然被誰怎起前從成而但法發面謝請先手實已同等今意問長太快動再見女孩與老愛本行別間兩次卻您跟錢應該情又安笑三晚高朋友啊父母無頭興死爸媽水門聽打感覺正車進歡位住直最每比定機相難許帶叫兒氣東西'
const JAPANESE =
  'いのなたんてるしとにはかれをすがっだでよこうもりまあそらせくおねわどきやけさみえめちじつろべほばむげぶひへずぐぼざびごゃょゅぁぇぬふゆーンスイトルラアックドシマレリテフプコタサカジバグメニムロオキウエパナハミワチビダモネブボペセソガツホュャョゼヴォィェァポヤユベギズデゴゾピザゲノヒヘ人日一大何私言君今行見出前来時間本当分思気持事者手少知彼女家子供生父母男死中上下会話待帰先友達僕俺誰名年二三国目入自食飲夜朝昨明長学校車水心愛好'
const KOREAN =
  '이다는에의가고을지사하리도한나로기어라자은아인그서시게해들대를니요있수으만보거없면내일전정안여우제마네야부세오것스구장음와할저너미조해데무말람생러상당모신주선난치없았었겠습까했된될던두소비공방동경원유연성회물간중히려진실금같때좀왜뭐알줄집돈잘못죽많더또'
const once = (letters: string): string => [...new Set(letters)].join('')

/** Chinese has two rows: its languages are one, but not its characters. */
export const EAST_ASIAN: readonly LetterTable[] = [
  { language: 'zh', script: 'Chinese', letters: once(SIMPLIFIED) },
  { language: 'zh', script: 'Chinese', letters: once(TRADITIONAL) },
  { language: 'ja', script: 'Japanese', letters: once(JAPANESE) },
  { language: 'ko', script: 'Korean', letters: once(KOREAN) },
]
