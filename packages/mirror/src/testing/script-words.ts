/** Words of a script, in the forms that a text or a query can have. */
export interface ScriptWords {
  /** Separator between two words. */
  space: '' | ' ';
  words: readonly string[];
}

const spaced = (words: string): ScriptWords => ({ space: ' ', words: words.split(' ') });
const unspaced = (words: string): ScriptWords => ({ space: '', words: words.split(' ') });

/** Words of twenty scripts. Some are prefixes of others, or have accents, ligatures or invisible characters. */
export const scriptWords: Record<string, ScriptWords> = {
  Latin: spaced(
    'price prices rock rolling roll café cafés naïve Straße STRASSE ﬁnd İzmir ｆｕｌｌ Ångström Dampf\u00adschiff 42',
  ),
  Greek: spaced('Σίσυφος ΣΊΣΥΦΟΣ και καιρός θάλασσα θάλασσες ἄνθρωπος νερό ψωμί ΰπνος'),
  Cyrillic: spaced('ёж Ёжик йод Москва москвич хлеб чай чайник їжак країна ў'),
  Arabic: spaced('أَهْلًا اهلا مدينة مدينتي كتاب كُتُب قــلم ماء بيت بيتنا ﻻ'),
  Hebrew: spaced('שָׁלוֹם שלום בית ביתי ספר ספרים מים לחם עיר'),
  Devanagari: spaced('नमस्ते पानी पानीपत किताब किताबें क्षेत्र क़लम शहर हिन्दी १२'),
  Bengali: spaced('জল জলপাই বই বইমেলা শহর নদী ক্ষমা কাজ'),
  Tamil: spaced('நீர் நீர்நிலை புத்தகம் நகரம் வணக்கம் கொடி கோடி மழை'),
  Telugu: spaced('నీరు నీరుగా పుస్తకం నగరం వర్షం క్షమ కోడి చెట్టు'),
  Georgian: spaced('წყალი წყალზე წიგნი ქალაქი ᲥᲐᲚᲐᲥᲘ პური ჩაი მთა'),
  Armenian: spaced('ջուր Ջրհոր գիրք Գրքեր քաղաք և եւ հաց սար'),
  Ethiopic: spaced('ውሃ ውሃማ መጽሐፍ ከተማ ዳቦ ሻይ ተራራ ሰላም'),
  Tibetan: spaced('བོད་སྐད ཆུ ཆུ་བོ དེབ གྲོང་ཁྱེར ཇ རི'),
  Hangul: { space: ' ', words: '한국어 한국 물 도서관 도시 빵집 \u1112\u1161\u11ab글 하\u11ab글 산'.split(' ') },
  Han: unspaced('京都 東京 會議 会议 昨日 明天 水 図書館 葛\u{e0100}城 𠮷野家 ２０ ㈱'),
  Japanese: unspaced('コーヒー メーカー ｶﾞｲﾄﾞ か\u3099く がく ひらがな 人々 東京 です iPhone'),
  Thai: unspaced('น้ำ กรุง เทพ กิน ข้าว ที่ นี่ ดี ปู่ ๑๒'),
  Lao: unspaced('ນ້ຳ ກິນ ເຂົ້າ ດີ ເມືອງ ປື້ມ ຫຼາຍ'),
  Khmer: unspaced('ទឹក ក្រុង ភ្នំពេញ សៀវភៅ បាយ ស្រី ខ្ញុំ'),
  Myanmar: unspaced('ရေ မြို့ စာအုပ် ထမင်း ကျွန်တော် သည် မြန်မာ'),
};
