// The sample texts of the archetypes: about ten seconds of speech.
import type { UseCase } from './use-cases.ts'

/** The roles of archetypes in languages other than English and Chinese. */
export type ArchetypeRole = 'Narrator' | 'Explainer' | 'Companion'

export const ENGLISH: Readonly<Record<UseCase, string>> = {
  narration:
    'The train left the village at dawn. Behind the window the fields woke slowly, and no one knew yet what this long journey would bring.',
  conversational: "Oh, hi! It's good to hear from you again. Tell me how your day went, and then we'll find something nice to do tonight.",
  characters:
    'Ha! You thought the map was the treasure? Look closer, my friend. The real secret has been ticking inside this old clock all along!',
  social:
    'Okay, three things I wish I had known before moving to a new city. Number two saved me a whole month of rent, so stay until the end.',
  entertainment:
    'Good evening, and welcome to the show! Tonight: two teams, one stage, and a question that no one in this room has ever answered correctly.',
  advertisement:
    'Some mornings deserve better than a rushed cup. Slow down, breathe in, and taste the coffee that was roasted yesterday, just around the corner.',
  informative:
    'When we heat water, its particles move faster and faster. That is why, at one hundred degrees, it begins to boil and turns into steam.',
}

export const CHINESE: Readonly<Record<UseCase, string>> = {
  narration: '火车在黎明时分离开了村庄。窗外的田野慢慢醒来，谁也不知道这段漫长的旅程会带来什么。',
  conversational: '你好呀！又听到你的声音，真高兴。跟我说说你今天过得怎么样，然后我们一起想想今晚做点什么。',
  characters: '哈哈！你以为地图就是宝藏吗？再仔细看看，朋友。真正的秘密一直藏在这座旧钟里，滴答滴答地响着！',
  social: '搬到新城市之前，有三件事我真希望早点知道。第二件帮我省下了整整一个月的房租，一定要看到最后。',
  entertainment: '各位晚上好，欢迎来到我们的节目！今晚，两支队伍，一个舞台，还有一道从来没有人答对过的问题。',
  advertisement: '有些早晨，值得一杯用心的咖啡。放慢脚步，深吸一口气，尝尝昨天刚刚烘焙、就在街角等你的味道。',
  informative: '当我们给水加热时，水的微粒会运动得越来越快。所以到了一百度，水就开始沸腾，变成水蒸气。',
}

/** By language: its code, and a text for each role. */
export const ROLE_SCRIPTS: Readonly<Record<string, { readonly code: string } & Readonly<Record<ArchetypeRole, string>>>> = {
  Spanish: {
    code: 'es',
    Narrator:
      'El tren salió del pueblo al amanecer. Detrás de la ventana, los campos despertaban despacio, y nadie sabía todavía qué traería aquel largo viaje.',
    Explainer:
      'Cuando calentamos el agua, sus partículas se mueven cada vez más rápido. Por eso, al llegar a cien grados, empieza a hervir y se convierte en vapor.',
    Companion: '¡Hola! Me alegra escucharte otra vez. Cuéntame cómo ha ido el día, y luego buscamos juntos algo agradable para esta noche.',
  },
  French: {
    code: 'fr',
    Narrator:
      "Le train quitta le village à l'aube. Derrière la vitre, les champs s'éveillaient lentement, et personne ne savait encore ce que ce long voyage apporterait.",
    Explainer:
      "Quand on chauffe l'eau, ses particules bougent de plus en plus vite. C'est pourquoi, à cent degrés, elle se met à bouillir et se transforme en vapeur.",
    Companion:
      "Quel plaisir de vous entendre à nouveau ! Racontez-moi votre journée, et ensuite nous chercherons ensemble quelque chose d'agréable pour ce soir.",
  },
  German: {
    code: 'de',
    Narrator:
      'Der Zug verließ das Dorf im Morgengrauen. Hinter dem Fenster erwachten langsam die Felder, und noch wusste niemand, was diese lange Reise bringen würde.',
    Explainer:
      'Wenn wir Wasser erhitzen, bewegen sich seine Teilchen immer schneller. Deshalb beginnt es bei hundert Grad zu kochen und wird zu Dampf.',
    Companion:
      'Hallo! Schön, dich wieder zu hören. Erzähl mir, wie dein Tag war, und dann suchen wir uns zusammen etwas Schönes für heute Abend.',
  },
  Italian: {
    code: 'it',
    Narrator:
      "Il treno lasciò il paese all'alba. Dietro il finestrino i campi si svegliavano piano, e nessuno sapeva ancora che cosa avrebbe portato quel lungo viaggio.",
    Explainer:
      "Quando scaldiamo l'acqua, le sue particelle si muovono sempre più velocemente. Per questo, a cento gradi, comincia a bollire e diventa vapore.",
    Companion:
      "Ciao! Che bello sentirti di nuovo. Raccontami com'è andata la giornata, e poi cerchiamo insieme qualcosa di piacevole per stasera.",
  },
  Portuguese: {
    code: 'pt',
    Narrator:
      'O trem deixou a vila ao amanhecer. Atrás da janela, os campos despertavam devagar, e ninguém sabia ainda o que aquela longa viagem traria.',
    Explainer:
      'Quando aquecemos a água, suas partículas se movem cada vez mais rápido. Por isso, ao chegar a cem graus, ela começa a ferver e se transforma em vapor.',
    Companion: 'Olá! Que bom ouvir você de novo. Conte como foi o seu dia, e depois procuramos juntos algo agradável para esta noite.',
  },
  Russian: {
    code: 'ru',
    Narrator:
      'Поезд покинул деревню на рассвете. За окном медленно просыпались поля, и никто ещё не знал, что принесёт это долгое путешествие.',
    Explainer:
      'Когда мы нагреваем воду, её частицы движутся всё быстрее. Поэтому при ста градусах она начинает кипеть и превращается в пар.',
    Companion:
      'Привет! Как приятно снова тебя слышать. Расскажи, как прошёл день, а потом мы вместе придумаем что-нибудь хорошее на вечер.',
  },
  Hindi: {
    code: 'hi',
    Narrator: 'रेलगाड़ी भोर में गाँव से निकली। खिड़की के बाहर खेत धीरे-धीरे जाग रहे थे, और अभी कोई नहीं जानता था कि यह लंबी यात्रा क्या लेकर आएगी।',
    Explainer: 'जब हम पानी को गरम करते हैं, तो उसके कण और तेज़ी से हिलने लगते हैं। इसीलिए सौ डिग्री पर वह उबलने लगता है और भाप बन जाता है।',
    Companion: 'नमस्ते! आपसे फिर बात करके बहुत अच्छा लगा। बताइए, आपका दिन कैसा रहा, फिर हम मिलकर शाम के लिए कुछ अच्छा सोचेंगे।',
  },
  Japanese: {
    code: 'ja',
    Narrator: '列車は夜明けに村を出た。窓の外では畑がゆっくりと目を覚まし、この長い旅が何をもたらすのか、まだ誰も知らなかった。',
    Explainer: '水を温めると、水の粒はだんだん速く動くようになります。そのため、百度になると沸騰し始め、水蒸気に変わります。',
    Companion: 'こんにちは。また声が聞けてうれしいです。今日はどんな一日でしたか。あとで、今夜の楽しみを一緒に考えましょう。',
  },
  Korean: {
    code: 'ko',
    Narrator: '기차는 새벽에 마을을 떠났다. 창밖에서는 들판이 천천히 깨어나고 있었고, 이 긴 여행이 무엇을 가져올지 아직 아무도 몰랐다.',
    Explainer: '물을 데우면 물의 입자가 점점 더 빨리 움직입니다. 그래서 백 도가 되면 끓기 시작하고 수증기로 변합니다.',
    Companion:
      '안녕하세요! 다시 목소리를 들으니 정말 반가워요. 오늘 하루는 어땠는지 이야기해 주세요. 그다음에 오늘 저녁에 할 즐거운 일을 함께 찾아봐요.',
  },
}
