const IRREGULAR: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "ran run,sold sell,bought buy,held hold,kept keep,lost lose,went go,gone go,made make,built build,took take,taken take",
    "won win,fell fall,fallen fall,rose rise,risen rise,grew grow,grown grow,came come,paid pay,sent send,left leave",
    "found find,began begin,begun begin,wrote write,written write,gave give,given give,saw see,seen see,knew know,known know",
    "became become,led lead,met meet,spent spend,brought bring,taught teach,stood stand,broke break,broken break,drove drive",
    "driven drive,chose choose,chosen choose,lent lend,burnt burn,spoke speak,spoken speak,caught catch,dug dig,fed feed",
    "stolen steal,stole steal,shown show,drawn draw,drew draw,thrown throw,threw throw,worn wear,wore wear,ate eat",
    "eaten eat,drank drink,sang sing,sung sing,sank sink,sunk sink,swam swim,rang ring,hid hide,hidden hide,shot shoot,fought fight",
    "thought think,sought seek,swept sweep,slept sleep,dealt deal,meant mean,laid lay,said say",
    "torn tear,tore tear,ridden ride,rode ride,struck strike,stuck stick,hung hang,flew fly,flown fly,froze freeze,frozen freeze",
    "indices index,vertices vertex,matrices matrix,mice mouse,teeth tooth,geese goose,halves half",
    "men man,women woman,children child,people person,feet foot",
  ]
    .join(",")
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);

/** Forms that are the past of a verb and nothing else; "cut" and "read" may be the present too. */
const PAST_FORMS: ReadonlySet<string> = new Set(
  [
    "ran sold bought held kept lost went made built took won fell rose grew came paid sent left began wrote gave saw knew became",
    "led met spent brought taught stood broke drove chose lent spoke caught dug fed stole drew threw wore ate drank sang sank",
    "swam rang hid shot fought thought sought swept slept dealt meant laid said tore rode struck hung flew froze did had was were",
  ].flatMap((line) => line.split(" ")),
);
export const isPastForm = (word: string) => PAST_FORMS.has(word);

/** British spelling as American. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(met|lit|cent|theat|fib|kilomet|millimet|centimet|calib|lust)re(s?)$/, "$1er$2"],
  [/^(colo|favo|behavio|harbo|neighbo|hono|labo|flavo|rumo|humo|vapo|odo|armo|endeavo)u(r.*)$/, "$1$2"],
  [/^(\w{3,}i)s(ation\w*|e|es|ed|ing)$/, "$1z$2"],
  [/^(\w{3,}y)s(e|es|ed|ing)$/, "$1z$2"],
  [/^(cata|ana|dia)logue(s?)$/, "$1log$2"],
  [/^programme(s?)$/, "program$1"],
  [/^(defen|offen|licen)ce(s?)$/, "$1se$2"],
  [/^grey(s?)$/, "gray$1"],
];

/**
 * Words that say the same in practically every sentence. A word is here only where replacing it makes no claim larger, smaller or
 * about something else: "firm" and "company", not "dog" and "pet", and no word with another common meaning.
 */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  [
    "begin start commence,buy purchase,large big,small little,fast quick rapid,car automobile,build construct,allow permit",
    "help assist,need require,choose select,remove delete erase,folder directory,physician doctor,child kid,film movie",
    "happen occur,use utilize,mandatory compulsory obligatory,annual yearly,repair fix,engine motor,shop store",
    "firm company,finish complete,attempt try,enough sufficient,show display,answer reply,whole entire,rich wealthy",
    "difficult hard,easy simple,hurt injure,vanish disappear,photograph photo,error mistake,modify alter,maximum max,minimum min",
    "largest biggest,larger bigger,beneath underneath,everyone everybody,someone somebody,usually normally,railway railroad",
    "illegal unlawful,aeroplane airplane,aluminium aluminum,completely entirely fully totally wholly,quickly rapidly swiftly",
    "obtain acquire,lawyer attorney,therefore thus hence,immediately instantly,rarely seldom,accurate precise,conceal hide",
    "inform notify,renovate refurbish,divide split,rubbish garbage trash,lorry truck,petrol gasoline,dangerous hazardous",
    "famous renowned,huge enormous,assess evaluate,gather collect,forbid prohibit ban,decrease reduce,inhabitant resident",
    "various diverse,strengthen reinforce,specify give,drawback disadvantage,benefit advantage,tiny minuscule,several multiple,halt stop,collaborate cooperate",
  ]
    .join(",")
    .split(",")
    .flatMap((group) => {
      const [first = "", ...others] = group.split(" ").map(cut);
      return others.map((other) => [other, first] as const);
    }),
);

const known = new Map<string, string>();
const MAX_KNOWN = 20_000;

/** What a word has in common with its other forms, spellings and synonyms. */
export function stemOf(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const stem = cut(word);
  const shared = SYNONYMS.get(stem) ?? stem;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(word, shared);
  return shared;
}

/** A word without its ending, in American spelling. */
function cut(word: string): string {
  const plain = word.replace(/'s?$/, "");
  const spelled = SPELLINGS.reduce((text, [form, other]) => text.replace(form, other), plain);
  const base = IRREGULAR[spelled] ?? spelled;
  if (base.length <= 3 || /\d/.test(base)) return base;
  const short = base
    .replace(/ies$|ied$/, "y")
    .replace(/(?:ing|ed|es|s)$/, "")
    .replace(/([bdfgklmnprt])\1$/, "$1");
  return (short.length < 3 ? base : short).replace(/e$/, "");
}

// "Constructor" and the like are words of pages.
Object.setPrototypeOf(IRREGULAR, null);
