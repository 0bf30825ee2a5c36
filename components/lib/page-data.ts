// Generated from the structs of `server` by `make types`. Do not edit.

/**
 * The country of a venue that is read on a visit to another one.
 */
export type Abroad = { 
/**
 * The country.
 */
country: Country, 
/**
 * Languages that it offers.
 */
langs: Array<Lang>, };

/**
 * The one-line strip about an order under way.
 */
export type ActiveOrder = { 
/**
 * What the venue calls it.
 */
number: string, 
/**
 * What the strip calls it: the number, with the venue where that is not plain.
 */
label: string, 
/**
 * Last known status.
 */
status: OrderStatus, 
/**
 * When it will be ready, milliseconds since the epoch, as long as that lies ahead.
 */
readyAt?: number, 
/**
 * Minutes east of UTC where it is made.
 */
utcOffset: number, 
/**
 * It waits for its payment.
 */
unpaid?: true, 
/**
 * Its page; of paying, while it is not paid.
 */
href: string, };

/**
 * What is known of the place under the pin.
 */
export type AddressAt = { 
/**
 * Its address; null where it is unknown.
 */
spot: AddressSpot | null, 
/**
 * There was no answer.
 */
failed: boolean, 
/**
 * Whether the venue of the cart brings orders there.
 */
zone: ZoneState, 
/**
 * Outside of the zone: the venue of the cart, where it hands orders out.
 */
ofCart: VenueRef | null, 
/**
 * Outside of the zone: the nearest other venue where orders are picked up.
 */
takeaway: VenueRef | null, };

/**
 * One address of the sheet.
 */
export type AddressCard = { 
/**
 * Upstream id, -1 for the local one.
 */
id: number, 
/**
 * What the guest calls it; may be empty.
 */
name: string, 
/**
 * Street and building.
 */
text: string, 
/**
 * May be empty, as all that follows.
 */
city: string, 
/**
 * Of a house with flats.
 */
entrance: string, 
/**
 * Of a house with flats.
 */
floor: string, 
/**
 * Flat or office.
 */
apartment: string, 
/**
 * A house of its own.
 */
privateHouse: boolean, 
/**
 * Metres from the guest; null while the guest's position is unknown.
 */
distance: number | null, };

/**
 * What the form asks.
 */
export type AddressFields = { name: string, street: string, building: string, entrance: string, floor: string, apartment: string, privateHouse: boolean, 
/**
 * Word to the courier.
 */
comment: string, };

/**
 * Page data of `/address-form`.
 */
export type AddressFormPage = { 
/**
 * The address that is changed, -1 the local one; null for a new one.
 */
id: number | null, 
/**
 * The guest has no other, and has not said what it is called: it is Home.
 */
first: boolean, 
/**
 * As it was saved, or as far as it was written.
 */
fields: AddressFields, 
/**
 * What the map knows of the place.
 */
place: string, 
/**
 * Its city.
 */
city: string, 
/**
 * The place.
 */
at: Point, 
/**
 * Where the guest came from.
 */
back: string, };

/**
 * Page data of `/address-map`.
 */
export type AddressMapPage = { 
/**
 * The address that gets another place, -1 the local one; null for a new one.
 */
id: number | null, 
/**
 * The middle of the map.
 */
at: Point, 
/**
 * The middle is a place that the guest has chosen, not the town's centre.
 */
chosen: boolean, 
/**
 * What is known of the chosen place.
 */
found: AddressAt, 
/**
 * What was typed, trimmed.
 */
query: string, 
/**
 * Addresses that it may mean; null without an answer.
 */
suggestions: Array<AddressSpot> | null, 
/**
 * They are found by a part of it: all of it means nothing.
 */
partial: boolean, 
/**
 * Where the guest came from.
 */
back: string, 
/**
 * Whose map it is.
 */
credit: MapCredit | null, };

/**
 * A place with its address.
 */
export type AddressSpot = { 
/**
 * All of it in one line.
 */
text: string, 
/**
 * May be empty, as all that follows.
 */
city: string, 
/**
 * Its street.
 */
street: string, 
/**
 * Its building.
 */
building: string, 
/**
 * Where it is.
 */
at: Point, };

/**
 * What a typed text may mean.
 */
export type AddressSuggestions = { 
/**
 * The text, trimmed.
 */
query: string, 
/**
 * At most three; null without an answer.
 */
items: Array<AddressSpot> | null, 
/**
 * They are found by a part of the text: all of it means nothing.
 */
partial: boolean, };

/**
 * Page data of `/addresses`.
 */
export type AddressesPage = { 
/**
 * The active one first, then the nearest.
 */
addresses: Array<AddressCard>, 
/**
 * The saved ones could not be had.
 */
failed: boolean, 
/**
 * The guest is not signed in: the address stays in this browser.
 */
local: boolean, 
/**
 * The address that was deleted last and can be had back.
 */
deleted: string | null, 
/**
 * Where the guest came from.
 */
back: string, };

/**
 * Page data of `/age`.
 */
export type AgePage = { 
/**
 * Where either answer leads: the page that the guest came from.
 */
back: string, 
/**
 * It is asked before a fridge opens: behind its door there is no question any more (BC-13).
 */
fridge?: true, };

/**
 * Page data of `/auth`.
 */
export type AuthPage = { 
/**
 * What to tell.
 */
problem: Problem, 
/**
 * Where another sign-in leads back to.
 */
back: string, 
/**
 * Where the guest can go on without one.
 */
on: string, };

/**
 * A banner over the menu (FL-11).
 */
export type Banner = { 
/**
 * Null for the venue's own message.
 */
kind: BannerKind | null, 
/**
 * The venue's own words, may be empty with a kind.
 */
message: string, };

/**
 * What a banner warns of (FL-12).
 */
export type BannerKind = "weather_issues" | "night_shift" | "closed" | "rush_hour";

/**
 * Page data of `/filials/{id}/barcode-manual`.
 */
export type BarcodeManualPage = { 
/**
 * The venue.
 */
venue: Venue, 
/**
 * It is a fridge, which can be opened.
 */
fridge: boolean, 
/**
 * What was typed; it stays when it leads to nothing.
 */
code: string, 
/**
 * Nothing was looked up yet when there is none.
 */
outcome: BarcodeOutcome | null, 
/**
 * The good that was found.
 */
product: Product | null, 
/**
 * Why the guest was led here from the scanner.
 */
camera: CameraTrouble | null, };

/**
 * What came of looking a barcode up (BC-02, BC-03).
 */
export type BarcodeOutcome = "found" | "notFound" | "wrong" | "incomplete" | "empty" | "unknown";

/**
 * Page data of `/filials/{id}/barcode-scanner`.
 */
export type BarcodeScannerPage = { 
/**
 * The venue.
 */
venue: Venue, 
/**
 * It is a fridge, which can be opened.
 */
fridge: boolean, 
/**
 * It is the code of a table that is looked for.
 */
table: boolean, 
/**
 * Its number may be typed instead (FL-07, AX-14).
 */
typed: boolean, };

/**
 * A choice with what it comes to.
 */
export type BillChoice = { 
/**
 * How.
 */
split: Split, 
/**
 * Of so many people.
 */
of: number, 
/**
 * The same as typed.
 */
typedOf: string, 
/**
 * Those that this guest pays for.
 */
pay: number, 
/**
 * The same as typed.
 */
typedPay: string, 
/**
 * Those of them that have not paid yet.
 */
peopleLeft: number, 
/**
 * Those of them that have paid, or are paying.
 */
peoplePaid: number, 
/**
 * The sum as typed.
 */
sum: string, 
/**
 * Percent of tips; null: an own sum.
 */
tip: number | null, 
/**
 * The own tips as typed.
 */
ownTip: string, 
/**
 * The bonuses as typed.
 */
bonus: string, 
/**
 * How it is paid, once the guest has said so.
 */
way: PayWay | null, 
/**
 * Most bonuses that all of the bill takes from this guest; 0: none can be spent.
 */
allBonus: Sum, 
/**
 * Most that this share takes.
 */
mostBonus: Sum, 
/**
 * Of the bill.
 */
amount: Sum, 
/**
 * What others have paid, or are paying, of the chosen dishes without having chosen them: equally or by sums.
 */
covered: Sum, 
/**
 * Service of all the chosen dishes, whatever of them is covered; 0 where no dishes are chosen.
 */
chosenService: Sum, 
/**
 * What tips are counted from: dishes without service.
 */
base: Sum, 
/**
 * Tips.
 */
tips: Sum, 
/**
 * Paid with bonuses.
 */
bonuses: Sum, 
/**
 * What the bank will ask for.
 */
due: Sum, 
/**
 * Others choose dishes that are not being paid yet: a guest who pays all pays for those as well.
 */
othersChoose: boolean, 
/**
 * Which of this guest's parts it is.
 */
turn: number, 
/**
 * Why it can't be paid.
 */
problem: ChoiceProblem | null, };

/**
 * One line of a bill.
 */
export type BillLine = { 
/**
 * Names it in forms.
 */
key: string, 
/**
 * What was brought.
 */
name: string, 
/**
 * How many.
 */
count: number, 
/**
 * What one costs.
 */
price: Sum, 
/**
 * All of them.
 */
sum: Sum, 
/**
 * Chosen by this guest.
 */
mine: number, 
/**
 * Chosen or being paid by others.
 */
others: number, 
/**
 * Being paid by this guest.
 */
paying: number, 
/**
 * Paid.
 */
paid: number, };

/**
 * Page data of `/filials/{filial_id}/bill` and `/bills/preorder/{id}`.
 */
export type BillPage = { 
/**
 * How it stands.
 */
state: BillState, 
/**
 * Its id; empty where there is none.
 */
bill: string, 
/**
 * Its address without what is chosen on it.
 */
href: string, 
/**
 * Of a bill that is closed: the address of the one that its table may have by now.
 */
tableHref: string | null, 
/**
 * The address that tells its changes; null: there are none.
 */
events: string | null, 
/**
 * What the venue calls it.
 */
number: string, 
/**
 * The venue.
 */
venueId: number | null, 
/**
 * Its name.
 */
venue: string, 
/**
 * Number of the table.
 */
table: string | null, 
/**
 * Name of the waiter.
 */
waiter: string | null, 
/**
 * Of a booking.
 */
preorder: boolean, 
/**
 * Its time, where it is known, milliseconds since the epoch.
 */
booked: number | null, 
/**
 * What it is for.
 */
lines: Array<BillLine>, 
/**
 * Dishes without service.
 */
goods: Sum, 
/**
 * Percent for service.
 */
percent: number, 
/**
 * That in money.
 */
service: Sum, 
/**
 * All of it.
 */
total: Sum, 
/**
 * Paid, by this guest or others.
 */
paid: Sum, 
/**
 * Being paid by others now.
 */
paying: Sum, 
/**
 * What is neither paid nor being paid.
 */
left: Sum, 
/**
 * How sums are written.
 */
money: MoneyFormat, 
/**
 * Percent that this guest gets back for the first bill paid here (PY-10).
 */
cashback: number | null, 
/**
 * Parts of this guest's, the newest first.
 */
mine: Array<OwnPart>, 
/**
 * Of a closed preorder: the money that is given back.
 */
refund?: Sum, 
/**
 * Of a closed bill: its guests have paid all of it here.
 */
paidInFull?: true, 
/**
 * Its table was given back.
 */
canceled?: true, 
/**
 * The dishes of this guest are held until then, milliseconds since the epoch.
 */
heldUntil: number | null, 
/**
 * Milliseconds until the waiter can be called again; 0: now.
 */
waiterIn: number, 
/**
 * The guest is asked whether to call the waiter.
 */
calling: boolean, 
/**
 * There is a table that a waiter can be called to.
 */
callsWaiter: boolean, 
/**
 * Tips on offer, percent.
 */
tipPercents: Array<number>, 
/**
 * Ways to pay; none: not online.
 */
ways: Array<PayWay>, 
/**
 * What is being paid, with its sums; null: the guest looks at the bill.
 */
choice: BillChoice | null, 
/**
 * What came in the way.
 */
problem: BillProblem | null, 
/**
 * What the guest has wanted to pay, where less was left: that is told until so much is there again.
 */
wanted?: Sum, 
/**
 * Server time of this reading.
 */
readAt: number, 
/**
 * Minutes east of UTC at the venue.
 */
utcOffset: number, };

/**
 * Page data of `/bills/paid/{token}`: thank you.
 */
export type BillPaidPage = { 
/**
 * Its address, which its form posts to.
 */
href: string, 
/**
 * The bill.
 */
bill: string, 
/**
 * The venue.
 */
venueId: number | null, 
/**
 * Its name.
 */
venue: string, 
/**
 * Of the bill.
 */
sum: Sum, 
/**
 * On top of it.
 */
tips: Sum, 
/**
 * Paid with bonuses.
 */
bonus: Sum, 
/**
 * What this guest has paid of the bill in several parts; null: this is the only one.
 */
inAll: Sum | null, 
/**
 * How it was paid (PY-11); null: bonuses have paid it all.
 */
way: PayWay | null, 
/**
 * Given back (PY-10, PY-11).
 */
cashback: Sum, 
/**
 * How sums are written.
 */
money: MoneyFormat, 
/**
 * The fiscal receipt, if there is one (PY-17).
 */
receipt: string | null, 
/**
 * The table was given back, and so is what was paid.
 */
refunded?: true, 
/**
 * The guest can still say how it was.
 */
asks: boolean, 
/**
 * Of a booking.
 */
preorder: boolean, 
/**
 * Of a booking whose time has not come: when the table waits, milliseconds since the epoch.
 */
booked: number | null, 
/**
 * Minutes east of UTC at the venue.
 */
utcOffset: number, 
/**
 * The guest has said it.
 */
thanked: boolean, 
/**
 * What is left of the bill; null: unknown.
 */
left: Sum | null, 
/**
 * What is at a bank; as long as there is something, the bill is not paid.
 */
paying: Sum, };

/**
 * What came in the way of what the guest has just asked for. Each has a text on the page of the bill.
 */
export type BillProblem = "less" | "changed" | "check" | "taken" | "unavailable" | "refused" | "waiter" | "often" | "calledOff" | "stillPaying" | "pending";

/**
 * How a bill stands.
 */
export type BillState = "open" | "closed" | "notFound";

/**
 * What there is to spend, hundredths.
 */
export type BonusBalance = { 
/**
 * Both together.
 */
total: Sum, 
/**
 * Bonuses.
 */
bonus: Sum, 
/**
 * Money.
 */
money: Sum, };

/**
 * An order that gave bonuses or took some.
 */
export type BonusEntry = { 
/**
 * What the venue calls the order.
 */
number: string, 
/**
 * Who made it; may be empty.
 */
place: string, 
/**
 * When, milliseconds since the epoch.
 */
at: number | null, 
/**
 * The same in the upstream's words, where they are no time that this program can read (OR-05).
 */
words: string | null, 
/**
 * Minutes east of UTC where it was made.
 */
utcOffset: number, 
/**
 * Given for it, hundredths.
 */
earned: Sum, 
/**
 * Paid with bonuses, hundredths.
 */
spent: Sum, 
/**
 * How both are written where it was made.
 */
money: MoneyFormat, };

/**
 * A level of the programme.
 */
export type BonusLevel = { 
/**
 * As the upstream calls it.
 */
name: string, 
/**
 * Points from which it holds.
 */
points: number, 
/**
 * Percent given back.
 */
cashback: number, };

/**
 * A gift or a coupon.
 */
export type BonusOffer = { 
/**
 * Its name.
 */
name: string, 
/**
 * What is typed into the cart.
 */
code: string, 
/**
 * What it takes off and on what it depends; sums are in the money of the page.
 */
terms: CodeTerms, };

/**
 * Where a guest stands among the levels.
 */
export type BonusStanding = { 
/**
 * All levels, the lowest first.
 */
levels: Array<BonusLevel>, 
/**
 * Which of them is the guest's; null when it is unknown.
 */
current: number | null, 
/**
 * Points of the guest.
 */
points: number | null, 
/**
 * Points that the next level still asks for; null on the last one.
 */
toNext: number | null, 
/**
 * Points that the guest's own level still asks for, so that it does not drop; null when there are enough.
 */
toKeep: number | null, 
/**
 * The highest percent that any level gives back.
 */
most: number, };

/**
 * Whether bonuses can be spent.
 */
export type BonusState = "signIn" | "delivery" | "notHere" | "failed" | "nothing" | "ready";

/**
 * Page data of `/profile/bonuses`. What is null could not be had.
 */
export type BonusesPage = { 
/**
 * What there is to spend.
 */
balance: BonusBalance | null, 
/**
 * Months after the last transaction until bonuses are gone.
 */
months: number, 
/**
 * The last moment of those of this guest, milliseconds since the epoch; null where there are none or it is unknown.
 */
expiresAt: number | null, 
/**
 * Level and levels.
 */
standing: BonusStanding | null, 
/**
 * Percent that the first bill paid here gives back; null once there was one.
 */
firstBill: number | null, 
/**
 * Gifts of the guest.
 */
gifts: Array<BonusOffer> | null, 
/**
 * Coupons of the guest.
 */
coupons: Array<BonusOffer> | null, 
/**
 * Orders with bonuses, the newest first.
 */
history: Array<BonusEntry> | null, };

/**
 * A day that can be chosen.
 */
export type BookDay = { 
/**
 * `2026-11-21`.
 */
date: string, 
/**
 * 0 is Monday.
 */
weekday: number, 
/**
 * Of the month.
 */
day: number, };

/**
 * A time of the day.
 */
export type BookSlot = { 
/**
 * `18:30` by the venue's clock.
 */
time: string, 
/**
 * There is a place.
 */
free: boolean, };

/**
 * A venue where a table can be booked.
 */
export type BookVenue = { 
/**
 * Its id.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Street and building.
 */
address: string, 
/**
 * Minutes east of UTC.
 */
utcOffset: number, 
/**
 * Its phone, where it is known.
 */
phone?: Phone, 
/**
 * Closed by hand, for no one knows how long: nothing can be booked.
 */
closed?: true, 
/**
 * Its bills are paid there alone.
 */
notOnline?: true, };

/**
 * A table that this guest has booked.
 */
export type BookedTable = { 
/**
 * Upstream id.
 */
id: string, 
/**
 * Where; null when the venue is not known any more.
 */
venue: BookVenue | null, 
/**
 * When, milliseconds since the epoch.
 */
at: number, 
/**
 * For how many.
 */
guests: number, 
/**
 * In whose name.
 */
name: string, 
/**
 * What the guest has asked for; may be empty.
 */
comment: string, 
/**
 * The page of the bill of what was ordered with it.
 */
bill: string | null, 
/**
 * What that is; null where nothing was, or where its bill did not come.
 */
ahead: OrderedAhead | null, 
/**
 * It was given back.
 */
canceled: boolean, };

/**
 * Page data of `/brands/booking`.
 */
export type BookingPage = { 
/**
 * The venue; null while it has to be chosen.
 */
venue: BookVenue | null, 
/**
 * Venues to choose from, without one.
 */
venues: Array<BookVenue>, 
/**
 * The next seven days at the venue.
 */
days: Array<BookDay>, 
/**
 * The chosen day.
 */
date: string, 
/**
 * The last day that can be chosen.
 */
last: string, 
/**
 * The chosen number of guests.
 */
guests: number, 
/**
 * At most so many.
 */
most: number, 
/**
 * That day was not chosen: nothing is free today any more.
 */
isNext: boolean, 
/**
 * Times of the chosen day.
 */
slots: Array<BookSlot>, 
/**
 * The times or the venues did not come: the page offers a retry.
 */
failed: boolean, 
/**
 * What became of the booking that the address names did not come: the page says so and offers a retry.
 */
notLoaded: boolean, 
/**
 * The chosen time.
 */
time: string | null, 
/**
 * Names this form: pressed twice, it is one booking.
 */
attempt: string, 
/**
 * The browser has a session that its other tabs share; not when the page was fetched before it was opened.
 */
held: boolean, 
/**
 * The dishes of a cart of this venue can be ordered with the table: the upstream takes them of signed-in guests.
 */
ahead: boolean, 
/**
 * The guest comes back from the cart to order its dishes with the table.
 */
ticked: boolean, 
/**
 * Name and phone of the guest's last booking, else of the profile.
 */
name: string, 
/**
 * The same.
 */
phone: string, 
/**
 * Tables that the guest has booked, the next one first; those whose time has come stand last.
 */
own: Array<BookedTable>, 
/**
 * Without a venue: the last ones that are over or were given back, the newest first.
 */
past: Array<BookedTable>, 
/**
 * The one that was just booked, or given back: what became of it.
 */
done: string | null, 
/**
 * The one that is to be cancelled, once the guest agrees.
 */
cancel: string | null, };

/**
 * A part of the map, in degrees.
 */
export type Bounds = { 
/**
 * Least longitude.
 */
west: number, 
/**
 * Least latitude.
 */
south: number, 
/**
 * Greatest longitude.
 */
east: number, 
/**
 * Greatest latitude.
 */
north: number, };

/**
 * A brand in the grid.
 */
export type BrandTile = { 
/**
 * Upstream id.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Its venues in the town.
 */
venues: number, 
/**
 * One of them has a promo.
 */
promo: boolean, 
/**
 * Picture address with `{w}`.
 */
image?: string, };

/**
 * Page data of `/brands/filials`.
 */
export type BrandVenuesPage = { 
/**
 * The brand.
 */
brand: number, 
/**
 * Name of the brand, empty when nothing came.
 */
name: string, 
/**
 * There are other brands to go back to.
 */
others: boolean, 
/**
 * Venues of this page, nearest first.
 */
venues: Array<VenueCard>, 
/**
 * From 1.
 */
page: number, 
/**
 * At least 1.
 */
lastPage: number, 
/**
 * Venues on all pages.
 */
total: number, 
/**
 * The upstream did not answer: the list offers a retry.
 */
failed: boolean, 
/**
 * What the host name says of its own there.
 */
front?: FrontTexts, };

/**
 * Page data of `/brands`.
 */
export type BrandsPage = { 
/**
 * Search text, trimmed.
 */
query: string, 
/**
 * Those of the town: the screen shows those that the search text finds.
 */
brands: Array<BrandTile>, 
/**
 * The town has more than these.
 */
more?: true, 
/**
 * The upstream did not answer: the page offers a retry.
 */
failed: boolean, 
/**
 * What the host name says of its own there.
 */
front?: FrontTexts, };

/**
 * Why the camera is not used (BC-07, HB-05, HB-19).
 */
export type CameraTrouble = "refused" | "busy" | "missing" | "framed" | "black" | "silent" | "unread";

/**
 * Bonuses as far as they concern the cart.
 */
export type CartBonus = { 
/**
 * Whether they can be spent.
 */
state: BonusState, 
/**
 * What the guest has, hundredths.
 */
balance: Sum, 
/**
 * The venue's share: at most so many percent of the goods.
 */
percent: number, 
/**
 * What may be spent on this cart, hundredths.
 */
max: Sum, 
/**
 * What is spent, hundredths.
 */
used: Sum, 
/**
 * The guest wanted more than may be spent now.
 */
lowered: boolean, };

/**
 * The delivery of a cart.
 */
export type CartDelivery = { 
/**
 * Where to, null while the guest has told no address.
 */
address: string | null, 
/**
 * What leads to the door; each may be empty.
 */
entrance: string, 
/**
 * See `entrance`.
 */
floor: string, 
/**
 * See `entrance`.
 */
apartment: string, 
/**
 * The house has no flats.
 */
privateHouse: boolean, 
/**
 * What the courier is told; may be empty.
 */
comment: string, 
/**
 * Tells this address from others, empty without one: the order repeats it, so that it goes where the guest has seen.
 */
mark: string, 
/**
 * The guest has confirmed it in this session (DG-05).
 */
confirmed: boolean, 
/**
 * The venue does not bring orders there (CT-18).
 */
outOfZone: boolean, 
/**
 * Ways to bring it (CT-10).
 */
tariffs: Array<DeliveryTariff>, 
/**
 * What comes off by sum of goods.
 */
steps: Array<DeliveryStep>, 
/**
 * The next of them, null when none is left.
 */
next: NextStep | null, 
/**
 * Least goods for an order; null when there is no limit (SV-11).
 */
minSum: Sum | null, 
/**
 * Most goods for an order of the venue's own couriers.
 */
maxSum: Sum | null, 
/**
 * The venue brings nothing now (FL-13).
 */
paused: boolean, 
/**
 * What stands in the way of couriers: weather, night, or the venue's own words (FL-12).
 */
banner: Banner | null, };

/**
 * One cart line.
 */
export type CartLine = { 
/**
 * Stable id of the line within its cart.
 */
id: string, 
/**
 * Upstream product id.
 */
productId: number, 
/**
 * Name in the page's language where the menu still knows it.
 */
name: string, 
/**
 * Pieces, 1 to 99.
 */
qty: number, 
/**
 * One piece with its options, hundredths.
 */
price: Sum, 
/**
 * All pieces, hundredths.
 */
sum: Sum, 
/**
 * Pieces that cost the regular price; the others cost `price`.
 */
regular?: RegularPart, 
/**
 * Chosen size and options in words.
 */
options: Array<string>, 
/**
 * The guest's wish for this line.
 */
note?: string, 
/**
 * Picture address with `{w}` for the width in pixels.
 */
image?: string, 
/**
 * Set when it can't be ordered as it is.
 */
problem?: LineProblem, 
/**
 * The price that the guest saw when it was added, with [`LineProblem::Price`].
 */
oldPrice?: Sum, 
/**
 * No options and no note: the menu's stepper changes it.
 */
plain: boolean, };

/**
 * A gift or coupon of the guest (BL-11).
 */
export type CartOffer = { 
/**
 * Its name.
 */
name: string, 
/**
 * The promo code behind it.
 */
code: string, 
/**
 * On what it depends.
 */
terms: CodeTerms, };

/**
 * Page data of `/cart`; the lines are the shell's.
 */
export type CartPage = { 
/**
 * The table's guests pay by its bill.
 */
bill: boolean, 
/**
 * Venue of the lines, null for an empty cart or while the upstream does not answer.
 */
venue: Venue | null, 
/**
 * Each fee on its own line.
 */
totals: Array<Total>, 
/**
 * Ways to pay (PY-01).
 */
payments: Array<PayWay>, 
/**
 * What this cart became and is not paid: pay it or call it off first.
 */
unpaid: UnpaidOrder | null, 
/**
 * Cooking time, null when not known (CT-06).
 */
minutes: Minutes | null, 
/**
 * When it is at the door, null where nothing is brought or that is not known.
 */
door: DoorTime | null, 
/**
 * Goods that go with it (CT-07).
 */
crossSell: Array<Product>, 
/**
 * Why it can't be ordered yet, in order: `empty`, `unpaid`, `checkFailed`, `closed`, `problems`, `table`, `signIn`,
 * `paused`, `address`, `addressFailed`, `outOfZone`, `noTariff`, `minSum`, `maxSum`, `confirmAddress`, `far`,
 * `noPayment`. Of a closed venue nothing after that, unless a table of it is being booked.
 */
blocks: Array<string>, 
/**
 * Name to fill in beforehand.
 */
name: string, 
/**
 * What was typed at the order before.
 */
typed: Typed | null, 
/**
 * The promo code that the guest has entered (CT-13).
 */
promo: PromoCode | null, 
/**
 * Gifts and coupons of a signed-in guest, to be entered by a tap.
 */
offers: Array<CartOffer>, 
/**
 * Bonuses; null for an empty cart (CT-08).
 */
bonus: CartBonus | null, 
/**
 * Bringing it, for deliveries (CT-09).
 */
delivery: CartDelivery | null, 
/**
 * The venue lets a guest type the table's number (FL-07).
 */
tableTyped: boolean, 
/**
 * The page of a booking here that the guest has begun, while there is no table to order to.
 */
booking: string | null, 
/**
 * Metres to the venue, if that is far and the guest has not said that it is all right (ZZ-17).
 */
far: number | null, 
/**
 * A tablet's order that is handed out at the counter, by its number.
 */
pickup: boolean, 
/**
 * A tablet asks for the table on keys of its own.
 */
keypad: boolean, 
/**
 * Of an empty cart: the venue whose menu the guest comes from (RT-19).
 */
home: VenueRef | null, 
/**
 * Of an empty cart: the order that can be had again (OR-14).
 */
repeat: RepeatCard | null, 
/**
 * What waits aside while the guest orders elsewhere, newest first (FL-06, CT-16).
 */
saved: Array<SavedCart>, };

/**
 * The cart as every page shows it. A higher `version` is newer.
 */
export type CartView = { 
/**
 * Tells it from other carts that the guest may have instead, as at an open fridge; says nothing of its id.
 */
mark: number, 
/**
 * Grows with every change.
 */
version: number, 
/**
 * Id of the venue that the lines belong to.
 */
venueId: number, 
/**
 * Name of that venue.
 */
venueName: string, 
/**
 * Pieces in all lines.
 */
count: number, 
/**
 * Sum of the lines that can be ordered, hundredths.
 */
total: Sum, 
/**
 * How its money is written, where that is not the money of the place.
 */
money?: MoneyFormat, 
/**
 * What comes on top for service there, whole percent.
 */
servicePercent?: number, 
/**
 * Oldest first.
 */
lines: Array<CartLine>, };

/**
 * One category of the menu.
 */
export type Category = { 
/**
 * Upstream id; -2 for favourites (MN-05).
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Rows show photos (MN-06).
 */
photos: boolean, 
/**
 * In the venue's order.
 */
products: Array<Product>, };

/**
 * An order whose outcome is not known yet.
 */
export type CheckingPage = { 
/**
 * Idempotency key of the attempt.
 */
key: string, 
/**
 * It is not sent any more unless the guest asks for it; none: it is.
 */
left: LeftOrder | null, };

/**
 * What is wrong with a choice. Each has a text on the page of the bill.
 */
export type ChoiceProblem = "noDish" | "badPeople" | "badPay" | "badSum" | "zeroSum" | "tooMuch" | "badTips" | "badBonus" | "nothing";

/**
 * The same for everybody who comes by a host name.
 */
export type ClientSettings = { 
/**
 * What guests do is told.
 */
analytics: boolean, 
/**
 * Errors and vitals are.
 */
faults: boolean, 
/**
 * A service worker may be there.
 */
worker: boolean, 
/**
 * The key of the service that sends notifications, where they are offered.
 */
push: string | null, };

/**
 * What a promo code takes off and on what it depends, as far as the upstream tells it.
 */
export type CodeTerms = { 
/**
 * Of a gift or coupon: whole percent off.
 */
percent?: number, 
/**
 * Of a gift or coupon: the sum off, hundredths.
 */
off?: Sum, 
/**
 * For how much of goods it counts at least, hundredths.
 */
from: Sum | null, 
/**
 * The last moment at which it counts, milliseconds since the epoch.
 */
until: number | null, };

/**
 * Page data of `/consent`.
 */
export type ConsentPage = { 
/**
 * Where a yes leads.
 */
back: string, 
/**
 * The guest has said no: nothing else can be used.
 */
refused: boolean, 
/**
 * Version of the text.
 */
version: string, };

/**
 * Page data of `/cookies`: only who brings no cookie sees it.
 */
export type CookiesPage = { 
/**
 * The page that the guest came from.
 */
back: string, 
/**
 * It is the sign-in that needs cookies, in a frame that has a cart without them: the same page in a window of its own.
 */
window: string | null, };

/**
 * Country of a visit.
 */
export type Country = "kz" | "ge";

/**
 * Who brings an order.
 */
export type CourierKind = "foot" | "car" | "venue";

/**
 * One day of the table.
 */
export type DayHours = { 
/**
 * 1 is Monday.
 */
day: number, 
/**
 * It is this day at the venue.
 */
today: boolean, 
/**
 * Day and night.
 */
always: boolean, 
/**
 * In order; none on a day that it is closed all day or open day and night.
 */
spans: Array<OpenSpan>, };

/**
 * Page data of `/profile/deleted`.
 */
export type DeletedPage = { 
/**
 * So many days the guest can change their mind.
 */
days: number, };

/**
 * Page data of `/profile/delete`.
 */
export type DeletionPage = { 
/**
 * The second step: what is lost was read.
 */
sure: boolean, 
/**
 * The page of the guest's fridge whose door is open: it has to be shut first.
 */
fridge: string | null, 
/**
 * What the guest would follow no more.
 */
orders: Array<OpenOrder>, 
/**
 * Whose account it is, in international writing without spaces; may be empty.
 */
phone: string, 
/**
 * So many days the guest can change their mind.
 */
days: number, };

/**
 * Whether the venue delivers now (FL-13).
 */
export type DeliveryNow = { 
/**
 * It does.
 */
open: boolean, 
/**
 * Minutes that deliveries are late by.
 */
delay: number, };

/**
 * From a sum of goods on, so much of the delivery is paid for the guest (MN-12).
 */
export type DeliveryOff = { 
/**
 * Sum of goods.
 */
from: Sum, 
/**
 * What comes off.
 */
discount: Sum, };

/**
 * From a sum of goods on, so much comes off the delivery.
 */
export type DeliveryStep = { 
/**
 * Sum of goods.
 */
from: Sum, 
/**
 * What comes off.
 */
discount: Sum, 
/**
 * The cart has reached it.
 */
reached: boolean, };

/**
 * One way to bring the cart.
 */
export type DeliveryTariff = { 
/**
 * By whom, null when the upstream's word for it is not known here.
 */
courier: CourierKind | null, 
/**
 * What the guest pays.
 */
price: Sum, 
/**
 * What it costs without a subsidy, when that is more.
 */
cost: Sum | null, 
/**
 * Minutes on the way.
 */
minutes: number | null, 
/**
 * The fastest of several ways.
 */
fastest: boolean, };

/**
 * Page data of `/filials/{id}/details`.
 */
export type DetailsPage = { 
/**
 * The venue.
 */
venue: Venue, 
/**
 * The town that it stands in; the chosen one may be another.
 */
town: string, 
/**
 * Latin short name (FL-15).
 */
prefix: string | null, 
/**
 * Where it stands.
 */
point: Point | null, 
/**
 * 0 to 5.
 */
rating: number | null, 
/**
 * How many rated it.
 */
reviews: number, 
/**
 * Seven days from Monday.
 */
days: Array<DayHours>, 
/**
 * Its own words about its hours.
 */
schedule: string | null, 
/**
 * Phone.
 */
phone: Phone | null, 
/**
 * Pages elsewhere.
 */
networks: Array<Network>, 
/**
 * How an order can be paid, as the cart offers it; none when nothing can be ordered (FL-16).
 */
payments: Array<PaymentKind>, 
/**
 * A word from the venue or about delivery (FL-11, FL-12).
 */
banner: Banner | null, 
/**
 * Whether it delivers now; null for a venue that never does.
 */
delivery: DeliveryNow | null, 
/**
 * Its own couriers, if it has any.
 */
ownDelivery: OwnDelivery | null, 
/**
 * It has tables that can be booked.
 */
books: boolean, 
/**
 * Minutes that guests usually wait.
 */
minutes: number | null, 
/**
 * It has a promo.
 */
promo: boolean, 
/**
 * Whose map its place is shown on.
 */
credit: MapCredit | null, };

/**
 * A dish or good with the venue that has it.
 */
export type DishHit = { 
/**
 * The product.
 */
product: Product, 
/**
 * Id of the venue for the chosen service.
 */
venue: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Its open state: nothing can be added while it is closed.
 */
open: OpenState, };

/**
 * The sheet of a dish: one product with everything that can be chosen.
 */
export type DishSheet = { 
/**
 * The product.
 */
product: Product, 
/**
 * Null when it has none (MN-03).
 */
sizes: Array<Size> | null, 
/**
 * Option groups.
 */
groups: Array<OptionGroup>, 
/**
 * Option id to count, from last_selected (AT-02).
 */
selected: { [key in string]: number }, 
/**
 * The guest has chosen that themselves, the last time.
 */
last?: true, 
/**
 * Size chosen beforehand.
 */
selectedSize: number | null, 
/**
 * Cooking time in minutes.
 */
minutes: number | null, 
/**
 * The cart line whose choice is being changed, with `?line=`.
 */
line: EditedLine | null, 
/**
 * The options could not be loaded: it can't be added (AT-11).
 */
failed: boolean, };

/**
 * When what is brought is at the door, counted from the order.
 */
export type DoorTime = { 
/**
 * At least.
 */
min: number, 
/**
 * At most.
 */
max: number, 
/**
 * The same as the order repeats it: `43-48.` and its signature.
 */
signed: string, };

/**
 * A cart line that is opened to be changed.
 */
export type EditedLine = { 
/**
 * Id of the line.
 */
id: string, 
/**
 * Pieces.
 */
qty: number, 
/**
 * The guest's wish.
 */
note: string, };

/**
 * The nearest venue is so far from the guest that the town can't be right (LC-13).
 */
export type Elsewhere = { 
/**
 * The town whose centre is closest to the guest, if that is another one.
 */
town: TownRef | null, };

/**
 * Why a field or a whole form is refused. Each has a text under `errors.` in every language: the types of the front
 * ask for it.
 */
export type ErrorCode = "addressAdd" | "addressDelete" | "addressUpdate" | "age" | "badInput" | "blocked" | "characters" | "chooseAddress" | "chooseTime" | "closed" | "fridgeFailed" | "fridgeBusy" | "fridgeGone" | "gone" | "letters" | "lineGone" | "max" | "min" | "network" | "noPhoto" | "noPlaces" | "noSuchDay" | "noSuchTable" | "notDone" | "notPlaced" | "often" | "optionGone" | "ordered" | "otherVenue" | "paymentUnavailable" | "phone" | "picture" | "pictureHeavy" | "picturePixels" | "priceChanged" | "quantity" | "range" | "refused" | "required" | "signIn" | "tableOften" | "tableRequired" | "tooLong" | "tooShort" | "unavailable" | "unpaid" | "upstreamWords" | "versionChanged" | "wrongData";

/**
 * What kept a page from being made.
 */
export type ErrorKind = "unavailable" | "overloaded" | "badRequest" | "tooLarge" | "tablet" | "noTablet" | "forbidden";

/**
 * A page that says why there is none.
 */
export type ErrorPage = { 
/**
 * Which texts to show.
 */
kind: ErrorKind, 
/**
 * To name when asking for help.
 */
requestId: string, 
/**
 * The page may come yet.
 */
again?: true, };

/**
 * Questions of one subject.
 */
export type FaqGroup = { 
/**
 * The subject.
 */
title: string, 
/**
 * Its questions.
 */
items: Array<FaqItem>, };

/**
 * One question.
 */
export type FaqItem = { 
/**
 * Name in addresses: `/faq#name` opens it.
 */
id: string, 
/**
 * The question.
 */
question: string, 
/**
 * Paragraphs of the answer.
 */
answer: Array<string>, };

/**
 * Page data of `/faq`.
 */
export type FaqPage = { 
/**
 * By subject.
 */
groups: Array<FaqGroup>, };

/**
 * One error of a form, shown beside its field.
 */
export type FieldError = { 
/**
 * Field name as posted, `form` for the whole form.
 */
field: string, 
/**
 * Its text stands under `errors.`.
 */
code: ErrorCode, 
/**
 * Values of the message's placeholders.
 */
values: { [key in string]: Text }, };

/**
 * What a filter is about; its key in the address.
 */
export type FilterKind = "open" | "meatless" | "halal" | "price" | "kitchen";

/**
 * What a form post leaves for the page that follows it: shown once.
 */
export type Flash = { 
/**
 * What it is about.
 */
kind: Notice, 
/**
 * Errors beside their fields.
 */
errors: Array<FieldError>, 
/**
 * What the guest had typed, by field name.
 */
values: { [key in string]: Array<string> }, };

/**
 * One result: a venue with what of its menu was found.
 */
export type FoundVenue = { 
/**
 * The venue.
 */
venue: VenueCard, 
/**
 * Its dishes and goods, the best match first; none where only the venue itself is called so.
 */
dishes: Array<Product>, 
/**
 * So many more of them were found in its menu.
 */
more: number, };

/**
 * The kind of frame around a page.
 */
export type Frame = "none" | "plain" | "search" | "default";

/**
 * Page data of `/filials/{id}/fridge`.
 */
export type FridgePage = { 
/**
 * The fridge.
 */
venue: Venue, 
/**
 * How it is.
 */
state: FridgeState, 
/**
 * The door stands open for longer than any guest needs.
 */
long: boolean, 
/**
 * The door, as long as something may come of it.
 */
session: string | null, 
/**
 * The order that it came to.
 */
order: string | null, 
/**
 * What was charged for it; null: not known yet.
 */
charged: Sum | null, 
/**
 * All of it was charged to the card.
 */
card: boolean, 
/**
 * Pieces that the fridge has counted beyond those that were scanned.
 */
unscanned: number, 
/**
 * Which those are, as far as the order tells.
 */
unseen: Array<OrderLine>, 
/**
 * Some of its goods are sold to adults only, from this age on.
 */
age: number | null, 
/**
 * The guest has said that they are younger: the door stays shut until they answer otherwise.
 */
tooYoung: boolean, 
/**
 * Whom to call when it does not open.
 */
support: Phone | null, 
/**
 * How often it was told to open in a row and has not.
 */
presses: number, };

/**
 * How a fridge is for its guest.
 */
export type FridgeState = "signIn" | "ready" | "opening" | "open" | "settling" | "settled" | "failed" | "lost" | "unknown";

/**
 * What a host name says on its front.
 */
export type FrontTexts = { 
/**
 * Instead of the usual heading.
 */
title?: string, 
/**
 * Below it.
 */
lead?: string, };

/**
 * Page data of `/`.
 */
export type HomePage = { 
/**
 * By position; rails with nothing to show are left out.
 */
rails: Array<Rail>, 
/**
 * How is cooked in the town, the most frequent first; empty where the upstream tells none or one.
 */
kitchens: Array<KitchenLink>, 
/**
 * Brands between the rails, by position.
 */
shortcuts: Array<Shortcut>, 
/**
 * No rail at all could be loaded.
 */
failed: boolean, 
/**
 * The other services that have venues, where the chosen one has none (HM-10).
 */
others: Array<ServiceHits>, 
/**
 * The guest may be asked for a position.
 */
locate: boolean, 
/**
 * Where deliveries are brought to, if that is known.
 */
address: string | null, 
/**
 * The fridge that the guest has open, on whatever phone (BC-14).
 */
fridge: number | null, 
/**
 * The last order, to be had again.
 */
repeat: RepeatCard | null, 
/**
 * What the host name says of its own there.
 */
front?: FrontTexts, 
/**
 * Set only when the guest's position is known.
 */
elsewhere: Elsewhere | null, };

/**
 * The host app that a page is shown in (HB-01).
 */
export type HostApp = { 
/**
 * Who has signed in, for the host to know (HB-20).
 */
user: string | null, 
/**
 * The guest agrees that data is used: the app may be told of what happens (HB-14, AN-04).
 */
agreed: boolean, };

/**
 * What a page on a tablet has to know.
 */
export type Kiosk = { 
/**
 * Where each guest begins: the venue's menu, marked as the tablet's.
 */
rest: string, 
/**
 * Seconds without a touch after which it asks whether the guest is still there.
 */
idle: number, 
/**
 * Seconds that it waits for the answer.
 */
warning: number, };

/**
 * A kind of cooking, which leads to its venues.
 */
export type KitchenLink = { 
/**
 * Its word in addresses.
 */
code: string, 
/**
 * Its name in the page's language.
 */
name: string, };

/**
 * Interface language (LC-02).
 */
export type Lang = "kk" | "ru" | "en" | "ka";

/**
 * Page data of `/language`.
 */
export type LanguagePage = { 
/**
 * Where a choice leads: the page that the guest came from.
 */
back: string, };

/**
 * What stands around one page. Sent with every page, so each navigation shows what its page asks for (RT-11).
 */
export type Layout = { 
/**
 * The frame.
 */
frame: Frame, 
/**
 * The main sections are at hand.
 */
navbar: boolean, 
/**
 * A signed-in guest's balance is shown (BL-07).
 */
balance: boolean, };

/**
 * An order that has been of unknown outcome for so long that its guest may not want it any more.
 */
export type LeftOrder = { 
/**
 * The venue knows whether it has the order.
 */
phone: Phone | null, };

/**
 * Page data of `/legal/{doc}`.
 */
export type LegalPage = { 
/**
 * `terms` or `privacy`.
 */
doc: string, 
/**
 * Its title.
 */
title: string, 
/**
 * The day of this version, `YYYY-MM-DD`: another text is another version (SC-09).
 */
version: string, 
/**
 * What it is about.
 */
lead: string, 
/**
 * Its sections.
 */
sections: Array<LegalSection>, };

/**
 * One section of a document.
 */
export type LegalSection = { 
/**
 * Heading.
 */
title: string, 
/**
 * Paragraphs.
 */
text: Array<string>, };

/**
 * Why a cart line can't be ordered as it is (CT-04).
 */
export type LineProblem = "gone" | "price";

/**
 * One event of a venue, the first of them too: what differs from the state that the page has named.
 */
export type LiveMenu = { 
/**
 * Names this state.
 */
rev: string, 
/**
 * Names which products stand on the menu: with another one the page has to be loaded anew.
 */
shape: string, 
/**
 * Open state of the venue.
 */
open: OpenState, 
/**
 * Bills of the venue's tables are pulled from the till.
 */
bill: boolean, 
/**
 * `products` are all of the menu: what is not among them is gone.
 */
full: boolean, 
/**
 * Those that have changed, or all.
 */
products: Array<LiveProduct>, };

/**
 * What of a product changes while a page shows it; a field that is not there holds for it no more.
 */
export type LiveProduct = { 
/**
 * Upstream product id.
 */
id: number, 
/**
 * One piece without a promo, hundredths.
 */
price: Sum, 
/**
 * One piece with the promo.
 */
promo?: Sum, 
/**
 * Negative whole percent of the promo.
 */
percent?: number, 
/**
 * The price is the lowest of several sizes.
 */
from?: true, 
/**
 * No price is told.
 */
unpriced?: true, 
/**
 * Sold out or unavailable now.
 */
out?: true, 
/**
 * At most so many for the promo price.
 */
limit?: number, };

/**
 * Whose map it is: named on every map, as licences of map data want.
 */
export type MapCredit = { 
/**
 * The name.
 */
text: string, 
/**
 * The page of its makers, if there is one.
 */
href: string | null, };

/**
 * Page data of `/map`.
 */
export type MapPage = { 
/**
 * What the map shows at first.
 */
view: Bounds, 
/**
 * The view is that of `?bbox=`; else it is the server's choice.
 */
requested: boolean, 
/**
 * Search text, trimmed.
 */
query: string, 
/**
 * Venues in view, nearest to its middle first.
 */
venues: Array<MapVenue>, 
/**
 * Venues in view that there are.
 */
total: number, 
/**
 * The chosen venue, one of `venues`.
 */
selected: number | null, 
/**
 * The upstream did not answer: the page offers a retry.
 */
failed: boolean, 
/**
 * Whose map it is.
 */
credit: MapCredit | null, };

/**
 * A venue with its place.
 */
export type MapVenue = { 
/**
 * What lists show of it.
 */
card: VenueCard, 
/**
 * Where it stands.
 */
at: Point, };

/**
 * Page data of `/filials/{id}`.
 */
export type MenuPage = { 
/**
 * The venue.
 */
venue: Venue, 
/**
 * A warning over the menu.
 */
banner: Banner | null, 
/**
 * In the venue's order; the short lists themselves when the menu did not come.
 */
categories: Array<Category>, 
/**
 * Short lists that are not empty.
 */
lists: Array<ShortList>, 
/**
 * The venue's choice stands in for the guest's favourites.
 */
house?: true, 
/**
 * Promos of now.
 */
promos: Array<MenuPromo>, 
/**
 * What comes off the delivery, by sum of goods; empty for other services.
 */
delivery: Array<DeliveryOff>, 
/**
 * Names prices and stock as they are here: what the stream of changes goes on from.
 */
rev: string, 
/**
 * The table's guests pay by its bill.
 */
bill: boolean, 
/**
 * It is a fridge, which can be opened.
 */
fridge?: true, 
/**
 * The menu itself did not come (MN-07).
 */
failed: boolean, 
/**
 * The guest has said to be too young for what has an age (ST-08).
 */
locked: boolean, 
/**
 * The sheet of a dish, with `?item=`.
 */
dish: DishSheet | null, 
/**
 * The guest's cart of this venue that waits aside, or has just come back by itself (FL-06).
 */
saved?: SavedHere, };

/**
 * A promo of the venue with what it holds for (MN-12).
 */
export type MenuPromo = { 
/**
 * Its name, may be empty.
 */
name: string, 
/**
 * Begins at, milliseconds since the epoch; only of one that has not begun.
 */
from?: number, 
/**
 * The last moment at which it holds, milliseconds since the epoch.
 */
until?: number, 
/**
 * So many at this price in one order.
 */
limit?: number, 
/**
 * So many at this price in a day.
 */
dayLimit?: number, 
/**
 * Ids of products of this menu.
 */
products: number[], };

/**
 * Page data of `/filials/{filial_id}/search`.
 */
export type MenuSearchPage = { 
/**
 * The venue.
 */
venue: Venue, 
/**
 * Search text, trimmed; empty: nothing was asked for (SE-04).
 */
query: string, 
/**
 * The spelling whose results are shown, when the query itself found nothing.
 */
shown: string | null, 
/**
 * A spelling that may be meant, where nothing was found.
 */
nearest?: string, 
/**
 * Looked for as it is written, whatever may be meant.
 */
exact?: true, 
/**
 * What was found, the best first.
 */
products: Array<Product>, 
/**
 * What most guests take, where there are no results.
 */
popular: Array<Product>, 
/**
 * Ids of what the menu has that is marked as having no meat: the browser has its names, and finds by that, too.
 */
meatless?: number[], 
/**
 * Goods with barcodes are sold here: they can be scanned.
 */
goods?: true, 
/**
 * The menu did not come: the page offers a retry.
 */
failed: boolean, 
/**
 * The guest's cart of this venue that waits aside, or has just come back by itself (FL-06).
 */
saved?: SavedHere, };

/**
 * A range of minutes.
 */
export type Minutes = { 
/**
 * At least.
 */
min: number, 
/**
 * At most.
 */
max: number, };

/**
 * How sums of a town are written (LC-11).
 */
export type MoneyFormat = { 
/**
 * ISO 4217 code.
 */
code: string, 
/**
 * Sign, such as ₸.
 */
symbol: string, 
/**
 * Where the amount (`%v`) and the sign (`%s`) stand (FM-14).
 */
format: string, 
/**
 * Between groups of three digits.
 */
thousands: string, 
/**
 * Before the fraction.
 */
decimal: string, 
/**
 * Digits after the decimal sign where a fraction exists (ZZ-03).
 */
fractionDigits: number, 
/**
 * Rounding mode (FM-03).
 */
rounding: string, 
/**
 * Rounding precision as the upstream tells it.
 */
precision: number, };

/**
 * What a change answers to a script.
 */
export type MutationAnswer = { 
/**
 * The cart after the change, null while empty. Missing: the change left it as it was.
 */
cart?: CartView | null, 
/**
 * Message or errors.
 */
flash: Flash | null, 
/**
 * Where the page goes next, if anywhere: a path of ours, or a whole address that the settings allow.
 */
redirect: string | null, 
/**
 * The page of ours that tells how a payment stands, when `redirect` leaves for the bank.
 */
paying?: string, 
/**
 * The session began with this change: whether the browser keeps its cookie is yet to be seen.
 */
begins?: true, };

/**
 * A page of the venue elsewhere.
 */
export type Network = { 
/**
 * Which sign to show.
 */
kind: NetworkKind, 
/**
 * What to call it.
 */
name: string, 
/**
 * http(s) only (S-23).
 */
link: string, };

/**
 * Networks that have a sign and a name of their own; any other has the generic ones (FL-14).
 */
export type NetworkKind = "instagram" | "whatsapp" | "telegram" | "facebook" | "tiktok" | "youtube" | "twoGis" | "website" | "other";

/**
 * What the next step needs and gives.
 */
export type NextStep = { 
/**
 * Goods that are still missing.
 */
missing: Sum, 
/**
 * Goods from which it holds: the end of the progress.
 */
from: Sum, 
/**
 * Price of the delivery from there on, where the address and with it the tariff is known.
 */
price: Sum | null, 
/**
 * What comes off, where it is not.
 */
discount: Sum | null, };

/**
 * A table that a guest has booked, in one line that leads to it.
 */
export type NextTable = { 
/**
 * Upstream id.
 */
id: string, 
/**
 * Name of the venue.
 */
venue: string, 
/**
 * When, milliseconds since the epoch.
 */
at: number, 
/**
 * Minutes east of UTC there.
 */
utcOffset: number, 
/**
 * The page of the bill of what was ordered with it.
 */
bill: string | null, 
/**
 * What that is; null where nothing was, or where its bill did not come.
 */
ahead: OrderedAhead | null, 
/**
 * It was given back: what was paid of its preorder comes back.
 */
canceled?: true, };

/**
 * Not found, with what was looked for.
 */
export type NotFoundPage = { 
/**
 * `page`, `venue`, `service`, `table`, `order` or `dish`.
 */
what: string, 
/**
 * The venue that is there without such a table or dish: its menu leads on.
 */
menu?: number, };

/**
 * What a page is told that follows a change.
 */
export type Notice = "accountDeleted" | "cashChosen" | "bookingCancelled" | "bookingChosen" | "bookingSent" | "bookingTwice" | "bookingUnknown" | "bookingUnreached" | "branchChanged" | "cartCleared" | "cartReturned" | "changed" | "formErrors" | "lineGone" | "order" | "orderCancelled" | "orderGraded" | "orderTooLate" | "photoRemoved" | "photoSaved" | "promoRemoved" | "removed" | "repeated" | "repeatedBeside" | "repeatedNothing" | "repeatedPartly" | "tableElsewhere" | "tableLeft" | "tableUnknown";

/**
 * An order of the account that is not over.
 */
export type OpenOrder = { 
/**
 * What the venue calls it.
 */
number: string, 
/**
 * Its page.
 */
href: string, };

/**
 * One opening interval of a day, by the venue's own clock.
 */
export type OpenSpan = { 
/**
 * "HH:MM".
 */
from: string, 
/**
 * "HH:MM", closing in advance taken off.
 */
to: string, 
/**
 * The end is on the next day.
 */
nextDay: boolean, };

/**
 * Open state of a venue, worked out from its schedule and the town's offset.
 */
export type OpenState = { 
/**
 * Takes orders now.
 */
open: boolean, 
/**
 * Around the clock (FL-04).
 */
always: boolean, 
/**
 * "HH:MM" of the next change, null when not known.
 */
at: string | null, 
/**
 * Days from today until `at`.
 */
inDays: number, };

/**
 * One option of a group.
 */
export type Option = { 
/**
 * Upstream id.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Added to the price of one piece, hundredths.
 */
price: Sum, 
/**
 * At most so many of this option.
 */
max: number, 
/**
 * Sold out.
 */
out: boolean, };

/**
 * A group of options with its rule (AT-01).
 */
export type OptionGroup = { 
/**
 * Upstream id.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * At least so many, counted with quantities (AT-08).
 */
min: number, 
/**
 * At most so many.
 */
max: number, 
/**
 * In the venue's order.
 */
options: Array<Option>, };

/**
 * Who brings an order (OR-09).
 */
export type OrderCourier = { 
/**
 * May be empty.
 */
name: string, 
/**
 * To read and to call.
 */
phone: Phone | null, 
/**
 * How it comes.
 */
transport: CourierKind | null, 
/**
 * Where that is now.
 */
at: Point | null, 
/**
 * Metres to the address.
 */
distance: number | null, };

/**
 * Where an order is brought to, and by whom: told to who has placed it.
 */
export type OrderDelivery = { 
/**
 * Street and building.
 */
address: string, 
/**
 * Of the building; may be empty, as the next two.
 */
entrance: string, 
/**
 * Number of the floor.
 */
floor: string, 
/**
 * Flat or office.
 */
apartment: string, 
/**
 * Word to the courier; may be empty.
 */
comment: string, 
/**
 * On the map.
 */
to: Point | null, 
/**
 * Who brings it.
 */
courier: OrderCourier | null, 
/**
 * No courier is on the way yet.
 */
waiting: boolean, 
/**
 * What its cart said of the time at the door, until that is over or its courier is expected in time.
 */
promise: OrderPromise | null, 
/**
 * Whose map it is.
 */
credit: MapCredit | null, };

/**
 * What a guest says of an order that is over (OR-12).
 */
export type OrderGrade = { 
/**
 * A grade is requested: once.
 */
requested: boolean, 
/**
 * One to five, once it was given.
 */
given: number | null, };

/**
 * One position of an order.
 */
export type OrderLine = { 
/**
 * Its name.
 */
name: string, 
/**
 * Pieces.
 */
qty: number, 
/**
 * Hundredths.
 */
sum: Sum, 
/**
 * Size and options in words.
 */
options: Array<string>, 
/**
 * The guest's wish to the kitchen.
 */
note?: string, };

/**
 * Page data of an order; also what its event stream sends.
 */
export type OrderPage = { 
/**
 * Upstream id.
 */
id: string, 
/**
 * What the venue calls it.
 */
number: string, 
/**
 * Kind of service.
 */
service: Service, 
/**
 * Status now.
 */
status: OrderStatus, 
/**
 * Furthest rank reached; progress never runs backwards.
 */
rank: number, 
/**
 * The way for this service, with times where known.
 */
steps: Array<OrderStep>, 
/**
 * How it is paid.
 */
payment: PaymentKind, 
/**
 * It was paid online.
 */
paid: boolean, 
/**
 * Where an order is paid that waits for it.
 */
payHref: string | null, 
/**
 * The fiscal receipt of the payment (PY-17).
 */
receipt: string | null, 
/**
 * What becomes of the money, once it was called off.
 */
refund: OrderRefund | null, 
/**
 * Paid with a card, hundredths (PY-11).
 */
cardSum: Sum | null, 
/**
 * Bonuses given for it, hundredths.
 */
cashback: Sum | null, 
/**
 * When it was placed, milliseconds since the epoch.
 */
createdAt: number | null, 
/**
 * The same in the upstream's words, where they are no time that this program can read (OR-05).
 */
createdWords: string | null, 
/**
 * When the next status is expected.
 */
nextAt: number | null, 
/**
 * The end of that, when two times lie ahead: it comes between them (OR-06).
 */
nextUntil: number | null, 
/**
 * When it will be ready, as long as that lies ahead. What is brought sets out then.
 */
readyAt: number | null, 
/**
 * By then it should be there: what is brought at the door, everything else ready. After that it is late.
 */
dueAt: number | null, 
/**
 * Once it is late, while it waits to be fetched, and once it was called off: the venue's phone, where it is known.
 */
contact?: Phone, 
/**
 * Server time of this reading.
 */
readAt: number, 
/**
 * Nothing follows.
 */
final: boolean, 
/**
 * Why it was cancelled (OR-04).
 */
reason: string | null, 
/**
 * Where it is made.
 */
venue: OrderVenue, 
/**
 * How its sums are written.
 */
money: MoneyFormat, 
/**
 * Minutes east of UTC at the venue.
 */
utcOffset: number, 
/**
 * False without the capability: nothing personal is told (ZZ-06).
 */
personal: boolean, 
/**
 * Table number.
 */
table: string | null, 
/**
 * It is handed out at the counter, by its number.
 */
pickup: boolean, 
/**
 * Where it is brought to.
 */
delivery: OrderDelivery | null, 
/**
 * The chat that tells of it (OR-10).
 */
chat: string | null, 
/**
 * Where goods were taken that are not cooked or handed over: their order has a view of its own, which leads there.
 */
fridge?: string, 
/**
 * The guest may take it back: it is not cooked yet.
 */
canCancel: boolean, 
/**
 * The guest is asked whether to take it back.
 */
cancelling: boolean, 
/**
 * What the guest says of it.
 */
grade: OrderGrade, 
/**
 * It shows something that most orders do not, and that has code of its own.
 */
care: boolean, 
/**
 * The guest's wishes.
 */
comment: string | null, 
/**
 * Positions.
 */
lines: Array<OrderLine>, 
/**
 * Sums.
 */
totals: Array<Total>, 
/**
 * Address of the event stream.
 */
events: string, };

/**
 * When an order was promised at the door, milliseconds since the epoch.
 */
export type OrderPromise = { 
/**
 * Then at the earliest.
 */
from: number, 
/**
 * And by then.
 */
until: number, };

/**
 * What becomes of the money of an order that was called off.
 */
export type OrderRefund = { 
/**
 * What is promised.
 */
promise: RefundPromise, 
/**
 * What is given back, hundredths, when the upstream tells it.
 */
sum: Sum | null, };

/**
 * One order in the list of a guest's orders.
 */
export type OrderRow = { 
/**
 * Upstream id.
 */
id: string, 
/**
 * What the venue calls it.
 */
number: string, 
/**
 * Kind of service; none of a fridge.
 */
service: Service | null, 
/**
 * Status now.
 */
status: OrderStatus, 
/**
 * How it is paid.
 */
payment: PaymentKind, 
/**
 * It was paid online.
 */
paid: boolean, 
/**
 * Minutes east of UTC there.
 */
utcOffset: number, 
/**
 * Name of the venue.
 */
venue: string, 
/**
 * Its town, where orders of the list were placed by different clocks.
 */
town?: string, 
/**
 * When it was placed, milliseconds since the epoch.
 */
at: number | null, 
/**
 * The same in the upstream's words, where they are no time that this program can read (OR-05).
 */
words: string | null, 
/**
 * Nothing follows.
 */
final: boolean, 
/**
 * Hundredths, if the upstream tells it.
 */
sum: Sum | null, 
/**
 * It was called off, and nothing was charged for it.
 */
uncharged?: true, 
/**
 * What of it is given back.
 */
refund?: Sum, 
/**
 * How that is written where it was ordered.
 */
money: MoneyFormat, };

/**
 * Status of an order (OR-02).
 */
export type OrderStatus = "created" | "cooking" | "ready" | "delivery" | "completed" | "canceled" | "unknown";

/**
 * One step of an order's way.
 */
export type OrderStep = { 
/**
 * Status reached by it.
 */
status: OrderStatus, 
/**
 * When it was reached, milliseconds since the epoch.
 */
at: number | null, };

/**
 * The venue of an order.
 */
export type OrderVenue = { 
/**
 * Its id.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Street and building.
 */
address: string, };

/**
 * Dishes that were ordered with a table.
 */
export type OrderedAhead = { 
/**
 * How many.
 */
count: number, 
/**
 * What they cost with service, hundredths.
 */
sum: Sum, 
/**
 * What of it is not paid, hundredths.
 */
left: Sum, 
/**
 * What was charged for it, with tips and without bonuses: what comes back when the table is given back.
 */
charged: Sum, 
/**
 * What of that is given back.
 */
refund: Sum, 
/**
 * What bonuses have paid of it: they come back with the money.
 */
bonuses: Sum, 
/**
 * The bonuses that are given back.
 */
refundedBonuses: Sum, 
/**
 * Its table was given back, and something that was paid is still to come back.
 */
waits?: true, 
/**
 * What was paid earns bonuses, which go with the table.
 */
earns?: true, 
/**
 * Until when the rest is paid online, milliseconds since the epoch; null: it is not.
 */
payUntil: number | null, 
/**
 * How they are written where the table is.
 */
money: MoneyFormat, };

/**
 * Pieces of a line that are part of an order already.
 */
export type OrderedLine = { 
/**
 * The line's id in the cart.
 */
id: string, 
/**
 * How many.
 */
qty: number, };

/**
 * Page data of `/orders`.
 */
export type OrdersPage = { 
/**
 * Only orders of this service.
 */
service: Service | null, 
/**
 * Services to choose from.
 */
services: Array<Service>, 
/**
 * Those on their way first, then by their time.
 */
orders: Array<OrderRow>, 
/**
 * Placed in this browser and not by this account, on the first page.
 */
here: Array<PlacedOrder>, 
/**
 * The tables that the guest has booked, the next one first, on the first page.
 */
tables: Array<NextTable>, 
/**
 * From 1.
 */
page: number, 
/**
 * At least 1.
 */
lastPage: number, 
/**
 * The upstream did not answer: the page offers a retry.
 */
failed: boolean, };

/**
 * Delivery by the venue's own couriers, in hundredths.
 */
export type OwnDelivery = { 
/**
 * Price of a delivery.
 */
cost: Sum, 
/**
 * Least sum of goods, 0 for none.
 */
minSum: Sum, 
/**
 * Largest sum of goods, 0 for none.
 */
maxSum: Sum, };

/**
 * A part of this guest's.
 */
export type OwnPart = { 
/**
 * Where it is paid and called off, or what came of it.
 */
href: string, 
/**
 * Of the bill.
 */
sum: Sum, 
/**
 * On top of it.
 */
tips: Sum, 
/**
 * What the bank asks for: with tips, without bonuses.
 */
due: Sum, 
/**
 * The upstream has the money.
 */
paid: boolean, };

/**
 * The guest's own review.
 */
export type OwnReview = { 
/**
 * The review.
 */
review: ReviewCard, 
/**
 * What has become of it.
 */
state: ReviewState, };

/**
 * A way to pay that a guest can choose (PY-01, PY-02).
 */
export type PayWay = "card" | "qr" | "cash";

/**
 * How an order is paid (PY-01).
 */
export type PaymentKind = "online" | "cash";

/**
 * Page data of `/pay/{token}`.
 */
export type PaymentPage = { 
/**
 * Its address, which forms post to.
 */
href: string, 
/**
 * How it stands.
 */
state: PaymentState, 
/**
 * How it is paid now; null before the first attempt.
 */
way: PayWay | null, 
/**
 * What the venue calls the order.
 */
number: string, 
/**
 * Name of the venue.
 */
venue: string, 
/**
 * Its id.
 */
venueId: number | null, 
/**
 * What is to be paid.
 */
sum: Sum | null, 
/**
 * How it is written.
 */
money: MoneyFormat, 
/**
 * The bank's page or application, while it waits.
 */
bank: string | null, 
/**
 * When the bank gives it up, milliseconds since the epoch.
 */
until: number | null, 
/**
 * Server time of this reading.
 */
readAt: number, 
/**
 * Minutes east of UTC at the venue.
 */
utcOffset: number, 
/**
 * What is opened.
 */
step: PaymentStep | null, 
/**
 * The guest comes from the bank.
 */
returned: boolean, 
/**
 * Ways to try it again.
 */
ways: Array<PayWay>, 
/**
 * The venue takes cash: the order can be called off, and its dishes, which this browser's cart holds, be ordered once
 * more.
 */
cash: boolean, 
/**
 * The page of the bill, of a part of one.
 */
bill: string | null, 
/**
 * A part of a bill that this browser has begun and can call off.
 */
part: boolean, 
/**
 * The order is called off, and the cart of this browser holds its dishes.
 */
inCart: boolean, 
/**
 * This browser has placed the order: the link to its page, and it may be called off.
 */
order: string | null, };

/**
 * How the payment of an order stands.
 */
export type PaymentState = "waiting" | "checking" | "paid" | "declined" | "abandoned" | "timedOut" | "calledOff" | "refunded";

/**
 * What a guest without scripts reads on the page, which does not look anew meanwhile: it would be closed.
 */
export type PaymentStep = "cancel" | "way";

/**
 * A phone number to read and to call.
 */
export type Phone = { 
/**
 * As the venue writes it.
 */
text: string, 
/**
 * `tel:` with digits alone.
 */
href: string, };

/**
 * An order of this session: its page is open to who has placed it, signed in or not.
 */
export type PlacedOrder = { 
/**
 * What the venue calls it.
 */
number: string, 
/**
 * Its page.
 */
href: string, 
/**
 * When it was placed, milliseconds since the epoch.
 */
at: number, 
/**
 * Its status, if the upstream tells it.
 */
status: OrderStatus, 
/**
 * Kind of service, if the upstream tells it: what becomes of an order is called by it.
 */
service: Service | null, 
/**
 * Name of the venue; may be empty.
 */
venue: string, 
/**
 * Minutes east of UTC there.
 */
utcOffset: number, 
/**
 * It waits for its payment; `href` is where it is paid then.
 */
unpaid: boolean, 
/**
 * Hundredths, if the upstream tells it.
 */
sum: Sum | null, 
/**
 * It was called off, and nothing was charged for it.
 */
uncharged?: true, 
/**
 * What of it is given back.
 */
refund?: Sum, 
/**
 * How that is written where it was ordered.
 */
money: MoneyFormat, };

/**
 * A place on earth, in degrees.
 */
export type Point = { 
/**
 * Latitude, −90 to 90.
 */
lat: number, 
/**
 * Longitude, −180 to 180.
 */
lon: number, };

/**
 * Why the sign-in failed.
 */
export type Problem = "denied" | "code" | "trackId" | "deleted" | "refused" | "expired" | "state" | "elsewhere" | "unavailable";

/**
 * One dish or good.
 */
export type Product = { 
/**
 * Upstream product id.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Its description.
 */
text?: string, 
/**
 * One piece without a promo, hundredths.
 */
price: Sum, 
/**
 * One piece with the promo (MN-01).
 */
promo?: Sum, 
/**
 * Negative whole percent of the promo.
 */
percent?: number, 
/**
 * The price is the lowest of several sizes.
 */
from?: true, 
/**
 * No price is told: it is shown and can't be ordered (MN-15).
 */
unpriced?: true, 
/**
 * Weight or volume in words.
 */
weight?: string, 
/**
 * Picture address with `{w}`.
 */
image?: string, 
/**
 * Sold out or unavailable now.
 */
out?: true, 
/**
 * Has sizes or additives: + opens the sheet.
 */
options?: true, 
/**
 * Least age of the buyer, years (CT-23).
 */
age?: number, 
/**
 * At most so many for the promo price (MN-02).
 */
limit?: number, };

/**
 * What the profile says of the saved addresses.
 */
export type ProfileAddresses = { 
/**
 * How many there are.
 */
count: number, 
/**
 * The one that orders are brought to.
 */
active: string | null, };

/**
 * Page data of `/profile/form`.
 */
export type ProfileFormPage = { 
/**
 * May be empty.
 */
name: string, 
/**
 * `31/12/1990`; empty when it is not told.
 */
birthday: string, 
/**
 * If told.
 */
gender: 'female' | 'male' | null, 
/**
 * The address of the picture, if there is one.
 */
avatar: string | null, };

/**
 * Page data of `/profile`.
 */
export type ProfilePage = { 
/**
 * The upstream has told who it is.
 */
known: boolean, 
/**
 * Empty when the guest has not told it yet: the greeting invites to it (PR-07).
 */
name: string, 
/**
 * In international writing without spaces; may be empty.
 */
phone: string, 
/**
 * The address of the picture, if there is one.
 */
avatar: string | null, 
/**
 * The language that messages are sent in, where it is told and is not just being changed.
 */
messages: Lang | null, 
/**
 * What there is to spend, hundredths; null when it can't be had.
 */
bonuses: Sum | null, 
/**
 * The saved addresses; null when they can't be had.
 */
addresses: ProfileAddresses | null, 
/**
 * The form was just saved.
 */
saved: boolean, };

/**
 * A promo code in the cart.
 */
export type PromoCode = { 
/**
 * As the guest typed it.
 */
code: string, 
/**
 * What became of it.
 */
state: PromoState, 
/**
 * What it takes off, hundredths.
 */
discount: Sum, 
/**
 * On what it depends.
 */
terms: CodeTerms, };

/**
 * What became of a promo code.
 */
export type PromoState = "applied" | "unknown" | "expired" | "small" | "failed";

/**
 * One rail of Home.
 */
export type Rail = { 
/**
 * What it shows.
 */
kind: RailKind, 
/**
 * Place on the page; rails are shown by it, not by array order (HM-01).
 */
position: number, 
/**
 * The full list.
 */
href: string, 
/**
 * First venues of the list.
 */
venues: Array<VenueCard>, 
/**
 * The upstream did not answer: the rail offers a retry.
 */
failed: boolean, 
/**
 * Measured from where the guest is, not from the town's centre.
 */
located: boolean, };

/**
 * What a rail shows.
 */
export type RailKind = "promo" | "recent" | "near" | "popular" | "bakery" | "semiFinished" | "readyMeals" | "grocery";

/**
 * What a guest is promised whose order was called off (PY-12).
 */
export type RefundPromise = "nothing" | "minutes" | "day";

/**
 * The pieces of a line that are above its promo's limit (MN-14).
 */
export type RegularPart = { 
/**
 * So many pieces.
 */
qty: number, 
/**
 * One of them, hundredths.
 */
price: Sum, };

/**
 * An order that can be had again.
 */
export type RepeatCard = { 
/**
 * Upstream id.
 */
order: string, 
/**
 * What the venue calls it.
 */
number: string, 
/**
 * Name of the venue.
 */
venue: string, 
/**
 * What was in it, with counts.
 */
lines: Array<string>, };

/**
 * One review.
 */
export type ReviewCard = { 
/**
 * Upstream id.
 */
id: number, 
/**
 * 1 to 5.
 */
rating: number, 
/**
 * May be empty; lines are kept.
 */
text: string, 
/**
 * First name; may be empty.
 */
author: string, 
/**
 * Language of the text, where it is told.
 */
lang: Lang | null, 
/**
 * When it was written, milliseconds since the epoch.
 */
at: number | null, };

/**
 * Page data of `/filials/{id}/reviews/new`.
 */
export type ReviewFormPage = { 
/**
 * The venue.
 */
venue: Venue, 
/**
 * What the guest has written before: a new one takes its place.
 */
own: OwnReview | null, };

/**
 * How many reviews there are in a language.
 */
export type ReviewLanguage = { 
/**
 * The language.
 */
lang: Lang, 
/**
 * How many.
 */
count: number, };

/**
 * What has become of a guest's own review.
 */
export type ReviewState = "pending" | "published" | "refused";

/**
 * Page data of `/filials/{id}/reviews`.
 */
export type ReviewsPage = { 
/**
 * The venue.
 */
venue: Venue, 
/**
 * The mean of all stars, with words or without.
 */
rating: number | null, 
/**
 * How many gave stars.
 */
count: number, 
/**
 * How many gave one star, two, … five, where that is told.
 */
stars: [number, number, number, number, number] | null, 
/**
 * Languages of the reviews, those of the country first.
 */
languages: Array<ReviewLanguage>, 
/**
 * Only reviews in this language are listed.
 */
only: Lang | null, 
/**
 * Reviews of this page, the newest first.
 */
reviews: Array<ReviewCard>, 
/**
 * From 1.
 */
page: number, 
/**
 * At least 1.
 */
lastPage: number, 
/**
 * Reviews on all pages.
 */
total: number, 
/**
 * The upstream did not tell: another try is offered.
 */
failed: boolean, 
/**
 * What this guest has written, published or not.
 */
own: OwnReview | null, 
/**
 * The review that this guest has just reported.
 */
reported: number | null, 
/**
 * This guest has just taken a review away.
 */
removed: boolean, };

/**
 * The cart of another venue, to be brought back.
 */
export type SavedCart = { 
/**
 * Its venue.
 */
venue: VenueRef, 
/**
 * Pieces in all its lines.
 */
count: number, };

/**
 * The cart of the venue whose page it is: it waits aside, or a dish has just brought it back.
 */
export type SavedHere = { 
/**
 * What is in it, with counts; of many lines the first ones.
 */
name: string, 
/**
 * Its lines, to know them in the cart.
 */
lines: Array<OrderedLine>, 
/**
 * It is in the cart again, as a dish was added.
 */
returned?: true, };

/**
 * One filter that is offered or chosen.
 */
export type SearchFilter = { 
/**
 * What it is about.
 */
kind: FilterKind, 
/**
 * Its value in the address.
 */
value: string, 
/**
 * The kitchen's name, as the upstream gives it.
 */
name?: string, 
/**
 * The price, hundredths.
 */
sum?: number, 
/**
 * It is chosen.
 */
on?: true, };

/**
 * Page data of `/search`.
 */
export type SearchPage = { 
/**
 * Search text, trimmed; empty: nothing was asked for (SE-04).
 */
query: string, 
/**
 * Only of this brand (SE-10).
 */
brand: number | null, 
/**
 * The spelling whose results are shown, when the query itself found nothing.
 */
shown: string | null, 
/**
 * A spelling near the query that finds something.
 */
nearest: string | null, 
/**
 * Looked for as it is written, whatever may be meant.
 */
exact?: true, 
/**
 * Nothing is called so, and what may be meant was not looked for: too many texts have found nothing. It can be tried
 * again in a minute.
 */
throttled?: true, 
/**
 * What the results can be narrowed down by, and are.
 */
filters: Array<SearchFilter>, 
/**
 * Results of this page and of those before it, each venue once: open ones first, and of these those with dishes.
 */
found: Array<FoundVenue>, 
/**
 * Place of the first one that the page adds.
 */
added: number, 
/**
 * Dishes, goods and venues that were found; on all pages together those that are shown and those of `more`, unless there
 * is a rest.
 */
total: number, 
/**
 * From 1.
 */
page: number, 
/**
 * At least 1.
 */
lastPage: number, 
/**
 * The list ends here, and there are more matches: what was typed says too little.
 */
rest?: true, 
/**
 * There is nothing, and a part that could have something did not answer: the page offers a retry.
 */
failed: boolean, 
/**
 * A part did not answer, the other one is shown.
 */
partial?: true, 
/**
 * The other services that find it, where the chosen one finds nothing.
 */
others: Array<ServiceHits>, 
/**
 * What others like, where there are no results.
 */
popular: Array<DishHit>, };

/**
 * The three services of the switcher (SV-02).
 */
export type Service = "takeaway" | "express" | "delivery";

/**
 * How much another service has, where the chosen one has nothing.
 */
export type ServiceHits = { 
/**
 * The service.
 */
service: Service, 
/**
 * Of venues, or of all that a search finds.
 */
total: number, };

/**
 * What every page gets beside its own data.
 */
export type Shell = { 
/**
 * Language of the page (LC-01).
 */
lang: Lang, 
/**
 * Languages that the country offers (LC-02).
 */
langs: Array<Lang>, 
/**
 * What a missing text is written in: the country's word (LC-03).
 */
fallback: Lang, 
/**
 * Country of the visit (LC-04).
 */
country: Country, 
/**
 * Where search engines know the page: its venue is of another country than the visit (SO-02, SO-03).
 */
abroad?: Abroad, 
/**
 * Server time, milliseconds since the epoch.
 */
now: number, 
/**
 * When what the page says of its venue's hours changes, milliseconds since the epoch.
 */
until?: number, 
/**
 * Minutes east of UTC in the town (LC-20).
 */
utcOffset: number, 
/**
 * How sums are written in the town.
 */
money: MoneyFormat, 
/**
 * Chosen service.
 */
service: Service, 
/**
 * Services on offer.
 */
services: Array<Service>, 
/**
 * Chosen town.
 */
town: TownRef, 
/**
 * Table of the visit.
 */
table: TableRef | null, 
/**
 * The cart, null while empty. Missing: it could not be read, and is as it was.
 */
cart?: CartView | null, 
/**
 * The guest's newest order that is not over.
 */
activeOrder: ActiveOrder | null, 
/**
 * Outcome of the form post that led here.
 */
flash: Flash | null, 
/**
 * Origin of the site, without a slash at the end.
 */
origin: string, 
/**
 * Path and query of the page, with the query keys that its route declares.
 */
url: string, 
/**
 * What a signed-in guest has to spend, hundredths, where the layout shows it (BL-01, BL-07).
 */
balance: Sum | null, 
/**
 * The layout shows a balance, and the upstream has not told it.
 */
balanceUnknown?: true, 
/**
 * What stands around the page (RT-01).
 */
layout: Layout, 
/**
 * Where "home" leads: the venue of a scanned code, else `/` (RT-19).
 */
home: string, 
/**
 * The guest comes from a payment page: Back leads to the root (RT-17).
 */
fromPayment?: true, 
/**
 * Origins of host apps that may push a language (LC-17).
 */
hosts?: string[], 
/**
 * The page stands on a tablet of a venue (UI-13).
 */
kiosk?: Kiosk, 
/**
 * The page is shown in a host app (HB-10).
 */
host?: HostApp, 
/**
 * The guest has said to be too young for restricted goods (CT-23).
 */
locked?: true, 
/**
 * What the product is called here, where that is not its own name.
 */
site?: string, 
/**
 * Release label (UI-11).
 */
version: string, };

/**
 * A short list out of the menu, before its categories (MN-05, MN-08). Its products stand in the categories; a product
 * is in one list at most.
 */
export type ShortList = { 
/**
 * Made-up category: -2 favourites, -3 popular, -4 what the guest orders most.
 */
id: number, 
/**
 * Ids of products.
 */
products: number[], };

/**
 * A brand on Home.
 */
export type Shortcut = { 
/**
 * Place among the rails.
 */
position: number, 
/**
 * Upstream id of the brand.
 */
brand: number, 
/**
 * Name of the brand.
 */
name: string, 
/**
 * Venues of the brand in the town.
 */
venues: number, 
/**
 * One of them has a promo.
 */
promo: boolean, 
/**
 * Picture address with `{w}`.
 */
image?: string, };

/**
 * The id that a venue has for one of its services (SV-03).
 */
export type Sibling = { 
/**
 * The service.
 */
service: Service, 
/**
 * The id.
 */
id: number, };

/**
 * Offers the sign-in that a page asks for.
 */
export type SignInNeededPage = { 
/**
 * The id of that page.
 */
page: string, 
/**
 * The venue in the path, for a link back to its menu.
 */
venueId: number | null, 
/**
 * On the page of orders: those of this session, the newest first.
 */
orders: Array<PlacedOrder>, };

/**
 * One size of a product.
 */
export type Size = { 
/**
 * Upstream id.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * One piece of this size, hundredths.
 */
price: Sum, 
/**
 * Sold out.
 */
out: boolean, };

/**
 * How a bill is divided.
 */
export type Split = "all" | "dishes" | "equal" | "sum";

/**
 * A line of the autocomplete list.
 */
export type Suggestion = { 
/**
 * The whole text.
 */
text: string, 
/**
 * What it names: `brand`, `venue`, `product` or nothing known.
 */
kind: string | null, };

/**
 * What completes the text that is being typed.
 */
export type Suggestions = { 
/**
 * The text that was asked for: an answer to another one is dropped (SE-11).
 */
query: string, 
/**
 * At most three (SE-07).
 */
items: Array<Suggestion>, };

/**
 * A sum of money in hundredths of its currency.
 */
export type Sum = number;

/**
 * The table that a QR link bound to the session (FL-07).
 */
export type TableRef = { 
/**
 * Id of the venue that the table stands in.
 */
venueId: number, 
/**
 * Upstream id of the table.
 */
tableId: string, 
/**
 * What is written on the table.
 */
number: string, 
/**
 * Main venue that the QR link names (FL-08).
 */
mainVenueId: string, 
/**
 * Name of its venue, where the page is of no venue or of an order, which may be another than the table's.
 */
venue?: string, };

/**
 * A placeholder's value.
 */
export type Text = number | string;

/**
 * One line of the totals.
 */
export type Total = { 
/**
 * What it stands for.
 */
kind: TotalKind, 
/**
 * Hundredths.
 */
sum: Sum, 
/**
 * Percent, of service.
 */
percent?: number, };

/**
 * What a line of the totals stands for.
 */
export type TotalKind = "goods" | "service" | "discount" | "delivery" | "bonus" | "total" | "refund" | "kept";

/**
 * Page data of `/town`.
 */
export type TownPage = { 
/**
 * Towns of the country whose names hold the search text, in the alphabet of the page's language.
 */
towns: Array<TownRef>, 
/**
 * Search text, trimmed.
 */
query: string, 
/**
 * The town that the guest is probably in.
 */
detected: TownRef | null, 
/**
 * Chosen, but the cart belongs to a venue elsewhere: asked about once.
 */
confirm: TownRef | null, 
/**
 * Where to return to.
 */
back: string, };

/**
 * A town as links and chips need it.
 */
export type TownRef = { 
/**
 * Upstream id.
 */
id: number, 
/**
 * Name in the page's language.
 */
name: string, };

/**
 * What was typed at the order, for its form.
 */
export type Typed = { 
/**
 * Null: no name was asked for yet.
 */
name: string | null, 
/**
 * Wishes for the kitchen; may be empty.
 */
comment: string, 
/**
 * The chosen way to pay.
 */
payment: PayWay | null, 
/**
 * Milliseconds since it was sent.
 */
age: number, };

/**
 * An order of this cart that waits for its payment.
 */
export type UnpaidOrder = { 
/**
 * What the venue calls it.
 */
number: string, 
/**
 * What it costs, hundredths.
 */
sum: Sum, 
/**
 * Its page of paying.
 */
href: string, 
/**
 * Where it was ordered, if that is another venue than the cart's.
 */
venue: string | null, 
/**
 * What of the lines in the cart is part of it.
 */
lines: Array<OrderedLine>, };

/**
 * The venue whose menu this is.
 */
export type Venue = { 
/**
 * Its id.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Its brand.
 */
brand: string, 
/**
 * Street and building.
 */
address: string, 
/**
 * Picture address with `{w}`.
 */
image?: string, 
/**
 * Open state at the server's time.
 */
open: OpenState, 
/**
 * Services it offers.
 */
services: Array<Service>, 
/**
 * Its id for each service.
 */
siblings: Array<Sibling>, 
/**
 * Percent added for service (CT-14).
 */
servicePercent: number, 
/**
 * 0 to 5; none where it has no ratings.
 */
rating?: number, 
/**
 * Minutes that guests usually wait, while it is open.
 */
minutes?: number, 
/**
 * Minutes east of UTC.
 */
utcOffset: number, 
/**
 * How its sums are written.
 */
money: MoneyFormat, };

/**
 * One venue in a list.
 */
export type VenueCard = { 
/**
 * Its id for the chosen service.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Its brand.
 */
brand: string, 
/**
 * Street and building.
 */
address: string, 
/**
 * Metres, null when not known.
 */
distance: number | null, 
/**
 * 1,500 metres or more (HM-09).
 */
far: boolean, 
/**
 * 0 to 5.
 */
rating: number | null, 
/**
 * Picture address with `{w}`.
 */
image?: string, 
/**
 * Open state at the server's time.
 */
open: OpenState, 
/**
 * Services it offers.
 */
services: Array<Service>, 
/**
 * It has a promo.
 */
promo: boolean, 
/**
 * The most that a dish is cheaper by, negative (MN-01); none where it is unknown.
 */
percent?: number, 
/**
 * Minutes that guests usually wait.
 */
minutes: number | null, 
/**
 * It does not deliver now, though it is open (delivery only).
 */
paused?: true, 
/**
 * Minutes that delivery is late by (delivery only).
 */
delay?: number, };

/**
 * Page data of `/filials`.
 */
export type VenueListPage = { 
/**
 * The rail whose full list this is, null for all venues.
 */
category: RailKind | null, 
/**
 * Search text, trimmed.
 */
query: string, 
/**
 * The kitchen whose venues these are; its name is empty where none of the town has it.
 */
kitchen: KitchenLink | null, 
/**
 * Venues of this page.
 */
venues: Array<VenueCard>, 
/**
 * From 1.
 */
page: number, 
/**
 * At least 1.
 */
lastPage: number, 
/**
 * Venues on all pages.
 */
total: number, 
/**
 * The upstream did not answer: the list offers a retry.
 */
failed: boolean, 
/**
 * The other services that have venues, where the chosen one has none at all (HM-10).
 */
others: Array<ServiceHits>, };

/**
 * A venue to link to.
 */
export type VenueRef = { 
/**
 * Its id.
 */
id: number, 
/**
 * Its name.
 */
name: string, };

/**
 * Whether a place is served.
 */
export type ZoneState = "inside" | "outside" | "unknown";

/**
 * The data of one page, told apart by its id.
 */
export type Page =
  | { route: 'home'; data: HomePage }
  | { route: 'venues'; data: VenueListPage }
  | { route: 'town'; data: TownPage }
  | { route: 'menu'; data: MenuPage }
  | { route: 'menuSearch'; data: MenuSearchPage }
  | { route: 'details'; data: DetailsPage }
  | { route: 'reviews'; data: ReviewsPage }
  | { route: 'reviewForm'; data: ReviewFormPage }
  | { route: 'brands'; data: BrandsPage }
  | { route: 'brandVenues'; data: BrandVenuesPage }
  | { route: 'booking'; data: BookingPage }
  | { route: 'map'; data: MapPage }
  | { route: 'search'; data: SearchPage }
  | { route: 'cart'; data: CartPage }
  | { route: 'order'; data: OrderPage }
  | { route: 'orders'; data: OrdersPage }
  | { route: 'orderInfo'; data: OrderPage }
  | { route: 'thankYou'; data: OrderPage }
  | { route: 'checking'; data: CheckingPage }
  | { route: 'pay'; data: PaymentPage }
  | { route: 'bill'; data: BillPage }
  | { route: 'billPaid'; data: BillPaidPage }
  | { route: 'faq'; data: FaqPage }
  | { route: 'legal'; data: LegalPage }
  | { route: 'language'; data: LanguagePage }
  | { route: 'age'; data: AgePage }
  | { route: 'consent'; data: ConsentPage }
  | { route: 'cookies'; data: CookiesPage }
  | { route: 'auth'; data: AuthPage }
  | { route: 'profile'; data: ProfilePage }
  | { route: 'profileForm'; data: ProfileFormPage }
  | { route: 'bonuses'; data: BonusesPage }
  | { route: 'deletion'; data: DeletionPage }
  | { route: 'deleted'; data: DeletedPage }
  | { route: 'addresses'; data: AddressesPage }
  | { route: 'addressMap'; data: AddressMapPage }
  | { route: 'addressForm'; data: AddressFormPage }
  | { route: 'barcodeManual'; data: BarcodeManualPage }
  | { route: 'barcodeScanner'; data: BarcodeScannerPage }
  | { route: 'fridge'; data: FridgePage }
  | { route: 'signInNeeded'; data: SignInNeededPage }
  | { route: 'notFound'; data: NotFoundPage }
  | { route: 'error'; data: ErrorPage }

/**
 * The one JSON text of a page: what stands around it, what it shows, its HTTP status.
 */
export type PageData = { shell: Shell; page: Page; status: number }
