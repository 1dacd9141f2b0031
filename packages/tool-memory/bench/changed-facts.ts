/** A question and notes about its subject, oldest first, each `label: text`; the last one answers. */
type Fact = readonly [question: string, ...notes: string[]];

/** Facts that changed: the later note has another label and other words, and does not repeat the whole of the earlier one. */
export const changed: readonly Fact[] = [
  [
    "When is the daily standup?",
    "team/standup: The daily standup is at 9:30 in room Oslo",
    "calendar/standup-change: Standup moved to 10:15, still in room Oslo",
  ],
  [
    "Which PostgreSQL version runs on staging?",
    "infra/staging-db: The staging database runs PostgreSQL 15",
    "ops/upgrade-notes: Staging PostgreSQL was upgraded to version 17",
  ],
  [
    "Where does Nadia live?",
    "people/nadia: Nadia lives in Hamburg near the harbour",
    "people/nadia-move: Nadia moved and now lives in Leipzig",
  ],
  [
    "What is the rate limit of the search API?",
    "api/limits: The search API allows 100 requests per minute",
    "api/quota: Rate limit of the search API raised to 250 requests per minute",
  ],
  [
    "Who owns the billing service?",
    "services/billing: The billing service is owned by Priya",
    "org/handover: Billing service handed over, the owner is now Tomasz",
  ],
  [
    "What is the deadline of the Apollo project?",
    "apollo/plan: Apollo project deadline is 12 March",
    "apollo/status-w9: The deadline of Apollo was pushed back to 2 April",
  ],
  [
    "What car does the user drive?",
    "user/car: The user drives a red Volvo V60",
    "user/garage: The user sold the Volvo and drives a Kia EV6",
  ],
  [
    "What is the wifi password in the office?",
    "office/wifi: The office wifi password is bluewhale7",
    "office/network: New office wifi password: redfox22",
  ],
  [
    "Which editor does the user prefer?",
    "user/editor: The user prefers Vim as editor",
    "user/tools: As editor the user has switched to Zed",
  ],
  [
    "How many people are on the data team?",
    "team/data: The data team has 6 people",
    "hr/headcount: After two hires the data team has 8 people",
  ],
  [
    "What is the budget of the Lisbon offsite?",
    "offsite/budget: Lisbon offsite budget is 20,000 euros",
    "finance/offsite: Budget for the offsite in Lisbon cut to 14,500 euros",
  ],
  [
    "Which cloud region do we deploy to?",
    "deploy/region: We deploy to the cloud region eu-west-1",
    "infra/migration: Deploys go to cloud region eu-central-1 from now on",
  ],
  [
    "What does the premium plan cost?",
    "pricing/premium: The premium plan costs 29 dollars a month",
    "pricing/2026: Price of the premium plan is 35 dollars since January",
  ],
  [
    "Who is the dentist of the user?",
    "health/dentist: The user's dentist is Dr Keller",
    "health/appointments: New dentist: Dr Amari, on Mill Road",
  ],
  [
    "When does the library close?",
    "city/library: The library closes at 18:00",
    "city/opening-hours: Library hours changed, it closes at 20:00",
  ],
  [
    "What is Jonas's phone extension?",
    "contacts/jonas: Phone extension of Jonas is 4417",
    "contacts/update: Jonas has a new phone extension, 5520",
  ],
  [
    "Which test runner does the repo use?",
    "repo/tests: The repo uses jest as test runner",
    "repo/tooling: Test runner of the repo replaced, it is vitest now",
  ],
  [
    "What is the session timeout?",
    "auth/session: Session timeout is 30 minutes",
    "security/review: Session timeout reduced to 15 minutes after the review",
  ],
  [
    "Which airline does Mara fly with?",
    "mara/travel: Mara flies with Lufthansa",
    "mara/points: Mara changed airline and flies with KLM",
  ],
  [
    "What is the user's shoe size?",
    "user/sizes: Shoe size of the user is 42",
    "shopping/notes: The user measured again, shoe size 43",
  ],
  [
    "Who leads the mobile team?",
    "org/mobile: The mobile team is led by Ines",
    "org/changes: Mobile team: Oskar took over the lead from Ines",
  ],
  [
    "What is the name of the cat?",
    "home/pets: The cat is called Miso",
    "home/cat: They renamed the cat, its name is Mochi",
  ],
  [
    "Where is the backup stored?",
    "backup/location: The nightly backup is stored on nas-2",
    "backup/runbook: Nightly backup is no longer on nas-2 but stored in bucket cold-eu",
  ],
  [
    "What is the port of the metrics server?",
    "metrics/server: The metrics server listens on port 9090",
    "config/ports: Port of the metrics server is 9464",
  ],
  [
    "How often are the certificates rotated?",
    "certs/rotation: Certificates are rotated every 90 days",
    "security/certs: Certificates are rotated every 30 days as of this quarter",
  ],
  [
    "What is the default branch?",
    "git/branch: The default branch is master",
    "git/rename: Default branch renamed to main",
  ],
  [
    "What is Elena allergic to?",
    "elena/health: Elena is allergic to peanuts",
    "elena/test-results: Allergy test: Elena is allergic to cashews, peanuts are fine",
  ],
  [
    "Which payment provider do we use?",
    "shop/payments: Our payment provider is Stripe",
    "shop/contract: We signed Adyen as payment provider",
  ],
  ["What time does the gym open?", "gym/hours: The gym opens at 7", "gym/summer: In summer the gym opens at 6"],
  [
    "What is the weight of the parcel?",
    "parcel/81: The parcel weighs 3.2 kg",
    "parcel/81-corrected: Weight of the parcel corrected: 3.9 kg",
  ],
  [
    "Which language is the backend written in?",
    "backend/stack: The backend is written in Python",
    "backend/rewrite: Rewrite finished, backend is written in Go",
  ],
  [
    "Who is the landlord?",
    "flat/landlord: The landlord is Mr Weber",
    "flat/letter: The flat was sold, landlord is the Nord company",
  ],
  [
    "What is the rent of the flat?",
    "flat/rent: Rent of the flat is 950 euros",
    "bank/standing-order: From May the flat's rent is 1,020 euros",
  ],
  [
    "How long is the warranty of the laptop?",
    "laptop/warranty: The laptop has a warranty of two years",
    "laptop/invoice: Warranty of the laptop extended to four years",
  ],
  [
    "What is the retention of the logs?",
    "logging/retention: Log retention is 14 days",
    "compliance/logs: Logs: retention must be 90 days",
  ],
  [
    "Which model answers support tickets?",
    "support/bot: Support tickets are answered by model Falcon-2",
    "support/bot-upgrade: Model Heron-1 answers the support tickets since Monday",
  ],
  [
    "When is the product launch?",
    "launch/date: The product launch is on 3 June",
    "launch/delay: Product launch delayed until 17 June",
  ],
  [
    "What is Yusuf's job?",
    "people/yusuf: Yusuf works as a nurse",
    "people/yusuf-news: Yusuf changed jobs, he works as a paramedic",
  ],
  [
    "Which font does the brand use?",
    "brand/font: The brand font is Lato",
    "brand/refresh: With the brand refresh the font is Inter",
  ],
  [
    "What is the maximum upload size?",
    "upload/limit: Maximum upload size is 10 MB",
    "release/4.2: Uploads: maximum size is 50 MB",
  ],
  [
    "How much vacation is left?",
    "hr/vacation: 18 days of vacation are left",
    "hr/july: After the trip 9 days of vacation are left",
  ],
  [
    "What is the address of the Vienna office?",
    "offices/vienna: Vienna office address: Ringstrasse 4",
    "offices/relocation: The Vienna office has a new address, Praterstrasse 21",
  ],
  [
    "Which database does the cart service use?",
    "cart/db: The cart service uses MongoDB",
    "cart/adr-7: Cart service database is DynamoDB instead of MongoDB",
  ],
  [
    "What is the score threshold for alerts?",
    "alerts/threshold: Alert score threshold is 0.8",
    "alerts/tuning: Threshold for alert score tuned down to 0.65",
  ],
  [
    "Who is on call this week?",
    "oncall/week: On call this week is Bruno",
    "oncall/swap: Swap: Chiara is on call this week",
  ],
  ["What is the door code?", "house/door: The door code is 4821", "house/security: Door code changed to 7730"],
  [
    "How many licences do we have?",
    "licences/count: We have 40 licences",
    "procurement/june: Bought more, we have 65 licences",
  ],
  [
    "What is the monthly marketing spend?",
    "marketing/spend: Monthly marketing spend is 8k",
    "marketing/q3: Marketing spend is 12k monthly in Q3",
  ],
  [
    "What is Ruth's email address?",
    "ruth/email: Ruth's email address is ruth@old.example",
    "ruth/contact: Ruth has a new email address: ruth.lang@new.example",
  ],
  [
    "Which bus goes to the station?",
    "transit/bus: Bus 14 goes to the station",
    "transit/timetable: New timetable: bus 27 goes to the station",
  ],
  [
    "What is the target latency?",
    "slo/latency: Target latency is 300 ms",
    "slo/2027: The target for latency is 200 ms",
  ],
  [
    "When are invoices sent?",
    "invoices/schedule: Invoices are sent on the 1st",
    "invoices/process: Invoices now go out, are sent, on the 5th",
  ],
  [
    "Which CI system runs the builds?",
    "ci/system: Builds run on the CI system Jenkins",
    "ci/cutover: CI system is Buildkite, all builds run there",
  ],
  [
    "What is the team's meeting room?",
    "rooms/team: The team's meeting room is Kepler",
    "rooms/swap: Meeting room of the team: Galileo instead of Kepler",
  ],
  [
    "What is the user's favourite restaurant?",
    "user/food: Favourite restaurant of the user is Trattoria Roma",
    "user/dinner: The user found a new favourite restaurant, Sakura",
  ],
  [
    "How many replicas does the queue have?",
    "queue/replicas: The queue has 3 replicas",
    "queue/scaling: Scaled the queue, 5 replicas",
  ],
  [
    "What is the interest rate of the loan?",
    "loan/rate: Interest rate of the loan is 3.1 percent",
    "bank/letter: Loan: the interest rate is 3.6 percent from October",
  ],
  [
    "Which doctor does the user see for the knee?",
    "health/knee: For the knee the user sees Dr Stein",
    "health/referral: Dr Okafor treats the knee, Dr Stein retired",
  ],
  [
    "What is the colour of the logo?",
    "brand/logo: The logo colour is green",
    "design/logo: Colour of the logo changed to navy",
  ],
  [
    "When does the train leave?",
    "trip/train: The train leaves at 7:42",
    "trip/rebooked: Rebooked, train leaves at 9:12",
  ],
  [
    "Which package manager do we use?",
    "repo/packages: We use npm as package manager",
    "repo/decision: Package manager: pnpm replaces npm",
  ],
  [
    "What is the emergency contact of Lea?",
    "lea/emergency: Emergency contact of Lea is her mother",
    "school/form: Lea: emergency contact is her uncle Paul",
  ],
  [
    "How many seats has the venue?",
    "venue/seats: The venue has 120 seats",
    "venue/extension: With the gallery the venue has 180 seats",
  ],
  [
    "What is the API base URL?",
    "api/url: The API base URL is https://api.one.example",
    "api/v2: Base URL of the API is https://v2.two.example",
  ],
  [
    "What is the minimum Node version?",
    "node/version: Minimum Node version is 20",
    "node/engines: Node: the minimum version is 22.16",
  ],
  [
    "Who approves expenses?",
    "finance/approver: Expenses are approved by Karin",
    "finance/policy: Milan approves expenses since Karin left",
  ],
  [
    "What does the user drink in the morning?",
    "user/breakfast: In the morning the user drinks coffee",
    "user/habits: The user quit coffee and drinks matcha in the morning",
  ],
  [
    "What is the discount for students?",
    "shop/students: Students get a discount of 10 percent",
    "shop/campaign: Discount for students is 25 percent",
  ],
  [
    "Where is the key of the cellar?",
    "home/cellar: The cellar key is under the pot",
    "home/keys: Cellar key was moved to the hook by the door",
  ],
  [
    "Which school does Tim go to?",
    "tim/school: Tim goes to Oak Street school",
    "tim/autumn: Since autumn Tim goes to the Lindner school",
  ],
  [
    "What is the timezone of the customer Acme?",
    "acme/timezone: Customer Acme is in timezone UTC-5",
    "acme/account: Acme moved headquarters, customer timezone is UTC+1",
  ],
  [
    "What is the cache lifetime?",
    "cache/ttl: Cache lifetime is 60 seconds",
    "perf/cache: We set the cache lifetime to 300 seconds",
  ],
  [
    "When is grandma's birthday party?",
    "family/party: Grandma's birthday party is on Saturday",
    "family/chat: Party for grandma's birthday is on Sunday after all",
  ],
  [
    "Which framework does the frontend use?",
    "frontend/framework: The frontend uses React",
    "frontend/2027: Frontend framework is Svelte",
  ],
  [
    "What is the password policy?",
    "security/passwords: Password policy: 8 characters",
    "security/policy-2: The policy for passwords is 14 characters",
  ],
  [
    "What is the current version of the app?",
    "app/version: The current app version is 3.4",
    "app/release: Released: current version of the app is 3.5",
    "app/hotfix: Hotfix out, current app version 3.5.1",
  ],
  [
    "How much does Sam weigh?",
    "sam/weight: Sam weighs 82 kg",
    "sam/march: Sam weighs 80 kg in March",
    "sam/may: In May Sam weighs 77 kg",
  ],
  [
    "Who is the CEO of Nimbus?",
    "nimbus/ceo: CEO of Nimbus is Dana Fox",
    "nimbus/interim: Interim CEO of Nimbus: Raj Patel",
    "nimbus/news: Nimbus named Lucia Gray as CEO",
  ],
  [
    "What is the status of ticket 912?",
    "ticket/912: Ticket 912 is open",
    "ticket/912-review: Status of ticket 912: in review",
    "ticket/912-done: Ticket 912 has the status closed",
  ],
  [
    "What is the price of the camera?",
    "camera/price: The camera costs 799 euros",
    "camera/sale: On sale the price of the camera is 699 euros",
    "camera/now: The camera price went up to 749 euros",
  ],
  [
    "Wo wohnt Herr Brandt?",
    "kunden/brandt: Herr Brandt wohnt in Kassel",
    "kunden/umzug: Herr Brandt ist umgezogen und wohnt in Mainz",
  ],
  [
    "Wann ist die Teamsitzung?",
    "team/sitzung: Die Teamsitzung ist montags um 9 Uhr",
    "kalender/neu: Teamsitzung verlegt auf dienstags um 11 Uhr",
  ],
  [
    "Wie hoch ist die Miete der Garage?",
    "garage/miete: Die Miete der Garage beträgt 60 Euro",
    "garage/brief: Ab Juli beträgt die Miete der Garage 75 Euro",
  ],
  [
    "Wer leitet die Buchhaltung?",
    "firma/buchhaltung: Die Buchhaltung leitet Frau Seidel",
    "firma/wechsel: Buchhaltung: Herr Kunz leitet sie jetzt",
  ],
  [
    "Welche Datenbank nutzt das Lager?",
    "lager/datenbank: Das Lager nutzt die Datenbank Oracle",
    "lager/umstellung: Datenbank im Lager ist jetzt MariaDB",
  ],
  [
    "¿Dónde vive Carmen?",
    "personas/carmen: Carmen vive en Sevilla",
    "personas/mudanza: Carmen se mudó y vive en Bilbao",
  ],
  [
    "¿Cuál es la contraseña del almacén?",
    "almacen/clave: La contraseña del almacén es luna9",
    "almacen/seguridad: Nueva contraseña del almacén: sol44",
  ],
  [
    "¿Quién dirige el proyecto Faro?",
    "faro/equipo: El proyecto Faro lo dirige Pablo",
    "faro/cambio: Ahora Julia dirige el proyecto Faro",
  ],
  [
    "¿A qué hora abre la farmacia?",
    "barrio/farmacia: La farmacia abre a las 9",
    "barrio/horario: La farmacia abre a las 8 desde mayo",
  ],
  ["Où habite Luc ?", "gens/luc: Luc habite à Nantes", "gens/demenagement: Luc a déménagé, il habite à Lille"],
  [
    "Quel est le prix de l'abonnement ?",
    "abonnement/prix: Le prix de l'abonnement est de 12 euros",
    "abonnement/hausse: L'abonnement augmente, son prix est de 15 euros",
  ],
  [
    "Qui gère la boutique ?",
    "boutique/gerant: La boutique est gérée par Anne",
    "boutique/nouveau: Marc gère la boutique depuis lundi",
  ],
  ["Где живёт Ольга?", "люди/ольга: Ольга живёт в Казани", "люди/переезд: Ольга переехала и живёт в Самаре"],
  [
    "Какой пароль от сервера отчётов?",
    "сервер/пароль: Пароль от сервера отчётов: зима5",
    "сервер/новый: Новый пароль сервера отчётов: лето8",
  ],
  [
    "Кто руководит отделом продаж?",
    "отдел/продажи: Отделом продаж руководит Иван",
    "отдел/смена: Теперь отделом продаж руководит Мария",
  ],
  [
    "田中さんの電話番号は",
    "連絡先/田中: 田中さんの電話番号は1234です",
    "連絡先/変更: 田中さんの電話番号が5678に変わりました",
  ],
  [
    "定例会議はいつですか",
    "会議/定例: 定例会議は月曜日の10時です",
    "会議/変更後: 定例会議は水曜日の14時に変更されました",
  ],
  ["北京办公室的地址", "办公室/北京: 北京办公室的地址是长安街1号", "办公室/搬迁: 北京办公室搬到了新地址朝阳路8号"],
  ["项目的截止日期是什么时候", "项目/计划: 项目的截止日期是三月十日", "项目/延期: 项目截止日期推迟到四月二十日"],
  [
    "서버 점검 시간은 언제인가",
    "서버/점검: 서버 점검 시간은 토요일 새벽 2시이다",
    "서버/공지: 서버 점검 시간이 일요일 새벽 4시로 바뀌었다",
  ],
  ["김민수의 부서는 어디인가", "인사/김민수: 김민수의 부서는 영업부이다", "인사/발령: 김민수는 개발부로 부서를 옮겼다"],
  ["أين يسكن سامي", "ناس/سامي: سامي يسكن في عمان", "ناس/انتقال: انتقل سامي وهو يسكن في دبي"],
  ["ราคากาแฟเท่าไหร่", "ร้าน/กาแฟ: ราคากาแฟแก้วละ 50 บาท", "ร้าน/ราคาใหม่: ราคากาแฟขึ้นเป็นแก้วละ 60 บาท"],
  ["Πού μένει ο Νίκος;", "άτομα/νίκος: Ο Νίκος μένει στην Πάτρα", "άτομα/νέα: Ο Νίκος τώρα μένει στο Βόλο"],
];

/** Facts that hold: the later notes are of another subject, however alike. The first note answers. */
export const kept: readonly Fact[] = [
  [
    "When is the weekly review of design?",
    "design/review: The weekly review of design is on Tuesday",
    "legal/review: The weekly review of contracts is on Thursday",
  ],
  [
    "Which PostgreSQL version runs on production?",
    "infra/prod-db: The production database runs PostgreSQL 16",
    "infra/test-db: The test database runs PostgreSQL 18",
  ],
  ["Where does Ivo live?", "people/ivo: Ivo lives in Zagreb", "people/petra: Petra lives in Split"],
  [
    "What is the rate limit of the upload API?",
    "api/upload: The upload API allows 20 requests per minute",
    "api/export: The export API allows 5 requests per minute",
  ],
  [
    "Who owns the catalog service?",
    "services/catalog: The catalog service is owned by Wei",
    "services/reviews: The reviews service is owned by Aldo",
  ],
  [
    "What is the deadline of the Hermes project?",
    "hermes/plan: Hermes project deadline is 1 May",
    "juno/plan: Juno project deadline is 9 September",
  ],
  ["What car does Henrik drive?", "henrik/car: Henrik drives a blue Skoda", "sofia/car: Sofia drives a white Fiat"],
  [
    "What is the guest wifi password?",
    "cafe/guest-wifi: The guest wifi password is latte1",
    "cafe/staff-wifi: The staff wifi password is mocha2",
  ],
  [
    "Which editor does Greta prefer?",
    "greta/editor: Greta prefers Emacs as editor",
    "lars/editor: Lars prefers Nano as editor",
  ],
  [
    "How many people are on the legal team?",
    "team/legal: The legal team has 3 people",
    "team/sales: The sales team has 22 people",
  ],
  [
    "What is the budget of the Porto workshop?",
    "workshop/porto: Porto workshop budget is 5,000 euros",
    "workshop/milan: Milan workshop budget is 7,500 euros",
  ],
  [
    "What does the basic plan cost?",
    "pricing/basic: The basic plan costs 9 dollars a month",
    "pricing/team: The team plan costs 79 dollars a month",
  ],
  ["Who is the vet of the dog?", "dog/vet: The dog's vet is Dr Hall", "dog/trainer: The dog's trainer is Ms Pike"],
  ["When does the museum close?", "city/museum: The museum closes at 17:00", "city/pool: The pool closes at 21:00"],
  [
    "What is Mia's phone extension?",
    "contacts/mia: Phone extension of Mia is 3301",
    "contacts/leo: Phone extension of Leo is 3302",
  ],
  [
    "Which linter does the web repo use?",
    "web/lint: The web repo uses eslint as linter",
    "core/lint: The core repo uses oxlint as linter",
  ],
  ["What is the idle timeout?", "auth/idle: Idle timeout is 10 minutes", "auth/lockout: Lockout timeout is 45 minutes"],
  [
    "What is the user's jacket size?",
    "user/jacket: Jacket size of the user is M",
    "user/trousers: Trouser size of the user is 32",
  ],
  [
    "Who leads the platform team?",
    "org/platform: The platform team is led by Noor",
    "org/growth: The growth team is led by Sven",
  ],
  [
    "What is the name of the parrot?",
    "zoo/parrot: The parrot is called Kiwi",
    "zoo/turtle: The turtle is called Shelly",
  ],
  [
    "Where is the contract stored?",
    "papers/contract: The contract is stored in cabinet 3",
    "papers/receipts: The receipts are stored in cabinet 5",
  ],
  [
    "What is the port of the admin server?",
    "ports/admin: The admin server listens on port 7001",
    "ports/web: The web server listens on port 8080",
  ],
  [
    "How often are the filters replaced?",
    "hvac/filters: Filters are replaced every 6 months",
    "hvac/belts: Belts are replaced every 12 months",
  ],
  [
    "What is Omar allergic to?",
    "omar/health: Omar is allergic to shellfish",
    "klara/health: Klara is allergic to pollen",
  ],
  [
    "What time does the bakery open?",
    "shops/bakery: The bakery opens at 6:30",
    "shops/butcher: The butcher opens at 8:00",
  ],
  [
    "Which language is the worker written in?",
    "worker/stack: The worker is written in Rust",
    "gateway/stack: The gateway is written in Elixir",
  ],
  [
    "What is the rent of the studio?",
    "studio/rent: Rent of the studio is 600 euros",
    "shop/rent: Rent of the shop is 1,800 euros",
  ],
  [
    "How long is the warranty of the fridge?",
    "fridge/warranty: The fridge has a warranty of five years",
    "oven/warranty: The oven has a warranty of two years",
  ],
  [
    "What is the retention of the audit trail?",
    "audit/retention: Audit trail retention is 7 years",
    "traces/retention: Trace retention is 3 days",
  ],
  [
    "When is the Berlin launch?",
    "berlin/launch: The Berlin launch is on 4 July",
    "madrid/launch: The Madrid launch is on 18 July",
  ],
  ["What is Hana's job?", "people/hana: Hana works as an architect", "people/felix: Felix works as a baker"],
  [
    "What is the maximum avatar size?",
    "avatar/limit: Maximum avatar size is 1 MB",
    "video/limit: Maximum video size is 2 GB",
  ],
  [
    "What is the address of the Prague office?",
    "offices/prague: Prague office address: Vodickova 9",
    "offices/warsaw: Warsaw office address: Zlota 44",
  ],
  [
    "Which database does the wishlist service use?",
    "wishlist/db: The wishlist service uses Cassandra",
    "coupons/db: The coupons service uses Redis",
  ],
  ["What is the safe code?", "house/safe: The safe code is 9914", "house/alarm: The alarm code is 5523"],
  [
    "What is Peter's email address?",
    "peter/email: Peter's email address is peter@a.example",
    "paula/email: Paula's email address is paula@a.example",
  ],
  [
    "Which tram goes to the airport?",
    "transit/tram: Tram 9 goes to the airport",
    "transit/tram-2: Tram 5 goes to the stadium",
  ],
  [
    "When is payroll sent?",
    "payroll/schedule: Payroll is sent on the 25th",
    "newsletter/schedule: The newsletter is sent on the 2nd",
  ],
  [
    "How many replicas does the index have?",
    "index/replicas: The index has 2 replicas",
    "broker/replicas: The broker has 7 replicas",
  ],
  [
    "What is the interest rate of the savings account?",
    "savings/rate: Interest rate of the savings account is 2 percent",
    "mortgage/rate: Interest rate of the mortgage is 4 percent",
  ],
  ["When does the ferry leave?", "trip/ferry: The ferry leaves at 16:20", "trip/shuttle: The shuttle leaves at 13:00"],
  [
    "What is the discount for seniors?",
    "fair/seniors: Seniors get a discount of 15 percent",
    "fair/members: Members get a discount of 5 percent",
  ],
  [
    "Where is the key of the attic?",
    "home/attic: The attic key is in the drawer",
    "home/shed: The shed key is in the box",
  ],
  ["Which school does Lina go to?", "lina/school: Lina goes to Hill school", "ben/school: Ben goes to River school"],
  ["Wo wohnt Frau Vogt?", "kunden/vogt: Frau Vogt wohnt in Trier", "kunden/linde: Frau Linde wohnt in Bonn"],
  [
    "Wann ist die Vorstandssitzung?",
    "vorstand/sitzung: Die Vorstandssitzung ist am Freitag",
    "betriebsrat/sitzung: Die Betriebsratssitzung ist am Mittwoch",
  ],
  ["¿Dónde vive Diego?", "personas/diego: Diego vive en Cádiz", "personas/marta: Marta vive en Toledo"],
  ["Где живёт Пётр?", "люди/пётр: Пётр живёт в Туле", "люди/анна: Анна живёт в Омске"],
  ["山田さんの電話番号は", "連絡先/山田: 山田さんの電話番号は2468です", "連絡先/鈴木: 鈴木さんの電話番号は1357です"],
  ["上海办公室的地址", "办公室/上海: 上海办公室的地址是南京路2号", "办公室/广州: 广州办公室的地址是天河路6号"],
  ["이영희의 부서는 어디인가", "인사/이영희: 이영희의 부서는 홍보부이다", "인사/박철수: 박철수의 부서는 재무부이다"],
  ["Où habite Zoé ?", "gens/zoe: Zoé habite à Rennes", "gens/hugo: Hugo habite à Metz"],
];
