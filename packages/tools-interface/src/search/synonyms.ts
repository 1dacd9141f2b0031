import { toSearchWords } from "./search-words.ts";

/**
 * Words that people and tools use for the same: a group a line. A word may stand in several groups. Written for the things
 * that tools are made for, not taken from the tools they are tried with.
 */
const GROUPS = `
delete remove erase clear drop discard
create make add new generate build produce
find search look locate discover lookup query
get fetch retrieve obtain read load
update edit modify change alter adjust
send deliver transmit post submit
buy purchase shop order shopping
picture image photo photograph photos
movie film cinema
song music track tune playlist audio
video clip youtube
trip travel journey tour vacation itinerary holiday
flight airline plane airport
hotel accommodation lodging stay booking
book reserve reservation booking
restaurant dining food meal eat dinner
recipe cook cooking meal dish ingredient
weather forecast temperature climate rain
news headline headlines article
stock share equity ticker
price cost fee pricing expensive cheap
money currency finance financial exchange
invest investment portfolio trading
crypto cryptocurrency bitcoin blockchain token
car vehicle automobile auto
house home property estate apartment
job career employment vacancy hiring
resume cv
doctor medical health medicine
exercise workout fitness gym
game gaming play
gift present
email mail inbox message
chat conversation message talk
phone telephone mobile call
company business firm corporation enterprise organization
customer client user
website site webpage web page url link
document doc file paper pdf
summary summarize summarise overview digest brief
translate translation language
write compose draft author
convert transform translate
calculate compute math evaluate
chart graph plot diagram visualize visualization
map location place address geographic
direction route navigation navigate
distance far away
date day calendar schedule
event meeting appointment
reminder task todo
note memo
list enumerate show display
count number amount
begin start launch open initiate run execute
stop end close terminate cancel
check verify validate test inspect
compare comparison difference
recommend suggest recommendation suggestion advice
learn study education course tutorial teach
code program programming software developer script
database sql table query
server host machine
user account profile member
password login credential authentication authenticate
folder directory
copy duplicate clone
move transfer relocate
upload attach
download save store
student pupil learner
law legal lawyer attorney
art artwork painting drawing
logo design designer
joke funny humor humour
quote quotation saying
poem poetry
story tale narrative fiction
kid child children
dog pet cat animal
clothes clothing fashion outfit wear apparel
beauty cosmetics makeup skincare
wine drink beverage beer cocktail
coupon discount deal sale promotion
review rating feedback opinion
analyze analysis analyse analytics insight insights
statistic statistics metric metrics
sentiment emotion mood feeling
keyword seo ranking
advertisement ad ads marketing campaign
presentation slide slides powerpoint
spreadsheet excel sheet
word docx
science scientific research scholarly academic paper
astronomy space planet star astrology horoscope
sport sports football soccer basketball nba match team
tv television show series
podcast radio
tax taxes
loan mortgage credit
energy power electricity
climate environment carbon emission
country nation
city town
person people individual
name title
size length width height dimension
color colour
time hour clock timezone
error bug issue problem fault
repository repo github git
branch commit
log logs history
security secure vulnerability
ip network domain dns
sensor device iot
dictionary definition meaning word
synonym thesaurus
qr barcode
sound voice speech tts
crop cut trim
resize scale
merge combine join concatenate
split divide separate
sort order rank
filter select choose pick
`;

const synonyms = new Map<string, Set<string>>();
for (const line of GROUPS.trim().split("\n")) {
  const group = new Set(toSearchWords(line));
  for (const word of group) {
    const others = synonyms.get(word) ?? new Set();
    for (const other of group) if (other !== word) others.add(other);
    synonyms.set(word, others);
  }
}

/** Words, as {@link toSearchWords} gives them, that may stand for this one. */
export function synonymsOf(word: string): Iterable<string> {
  return synonyms.get(word) ?? [];
}
