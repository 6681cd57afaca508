import type { VNode } from 'preact';
import { CopiedText } from '../resource.view.js';
import {
  Actions,
  Badge,
  Facts,
  LinkLine,
  PageLinks,
  Panel,
  Setting,
  Tabs,
} from '../ui/facts.view.js';
import { Figure, Figures, Share } from '../ui/figures.view.js';
import { Choices } from '../forms/choices.view.js';
import { ChoiceForm, Done, Field, FilterForm, Problem, Select } from '../ui/form.view.js';
import { Document } from '../frame/layout.view.js';
import { Menu, MenuLinks } from '../ui/menu.view.js';
import { amounts, counts, Table, type Column } from '../ui/table.view.js';
import { DateTime, Email, Money } from '../ui/values.view.js';

/** Address of this page, which exists in development only. */
export const COMPONENTS_PATH = '/docs/components';

/** Colours of assets/style/tokens.css, each with a class that shows it. */
const COLOURS = ['ground', 'card', 'line', 'edge', 'ink', 'soft'] as const;
const STATES = ['accent', 'good', 'warn', 'bad'] as const;
/** Words of the service that have a colour; every badge also has its word. */
const BADGES = ['active', 'paid', 'pending', 'refunded', 'chargeback', 'revoked', 'paused'];
const LARGEST = 12_345_678_901_234n;

interface Sample {
  readonly name: string;
  readonly sales: number;
  readonly gross: bigint;
}

const SAMPLES: readonly Sample[] = [
  { name: 'Studio Membership', sales: 219, gross: 579_960n },
  { name: 'Portrait Masterclass', sales: 0, gross: 0n },
  { name: 'A product with a very long name that wraps', sales: 1_234_567, gross: LARGEST },
];
const COLUMNS: readonly Column<Sample>[] = [
  { name: 'Product', cell: ({ name }) => name },
  counts('Sales', ({ sales }) => sales),
  amounts('Gross', ({ gross }) => gross),
];

/** Returns the page that shows the design system: its tokens and all components of pages. */
export function componentsDocument(header: VNode): VNode {
  return (
    <Document title="Components">
      {header}
      <main id="content">
        <div class="page-head">
          <h1>Components</h1>
          <Controls />
        </div>
        <p class="lead">
          Every page consists of these. No page and no feature has styles of its own.
        </p>
        <Tokens />
        <FigureSamples />
        <div class="pair">
          <Texts />
          <Forms />
        </div>
        <Panel id="table" title="Table">
          <Table label="Table" columns={COLUMNS} rows={SAMPLES} />
        </Panel>
        <Table label="Table without rows" columns={COLUMNS} rows={[]} empty="No sales yet." />
        <Setting
          id="setting"
          title="A setting"
          about={<p>What it is about, beside its card where both have room.</p>}
        >
          <ChoiceForm class="choices" action={COMPONENTS_PATH} label="A setting">
            <Field label="Minutes" name="minutes" class="short" type="number" />
            <button>Save changes</button>
          </ChoiceForm>
        </Setting>
        <Links />
      </main>
    </Document>
  );
}

function Controls() {
  const links = ['Today', 'This month', 'Last month'].map((words, at) => ({
    href: COMPONENTS_PATH,
    words,
    isCurrent: at === 1,
  }));
  return (
    <div class="period-bar">
      <Menu isButton name="sample" summary="Menu">
        <MenuLinks links={links} />
      </Menu>
      <Menu isButton name="sample" class="end" summary="Menu at the end">
        <MenuLinks links={links} />
      </Menu>
    </div>
  );
}

function Tokens() {
  return (
    <Panel id="tokens" title="Colour and type">
      <ul class="swatches">
        {[...COLOURS, ...STATES].map((name) => (
          <li>
            <svg class={`swatch fill-${name}`} role="img" aria-label={name} />
            {name}
          </li>
        ))}
      </ul>
      <p>
        Titles have 24 px, headings 17 px, texts 15 px.{' '}
        <span class="aside">Small text, 13 px.</span> <a href="#tokens">A link</a>.{' '}
        <code>Code</code>
      </p>
    </Panel>
  );
}

function FigureSamples() {
  const course = [3n, 5n, 4n, 8n, 6n, 9n, 12n];
  return (
    <>
      <Figures label="Big figures" isBig hasHero>
        <Figure
          name="Net earnings"
          note="after refunds and chargebacks"
          change={<span class="better">+36.2%</span>}
          share={
            <Share part={2n} whole={3n}>
              66.7% of gross
            </Share>
          }
        >
          <Money cents={777_491n} />
        </Figure>
        <Figure name="The largest sum" note="wraps if it must" course={course}>
          <Money cents={LARGEST} />
        </Figure>
        <Figure name="Refunds" change={<span class="worse">+12.0%</span>} course={course}>
          20
        </Figure>
      </Figures>
      <Figures label="Small figures">
        <Figure name="Sales">276</Figure>
        <Figure name="Share">
          <Share part={1n} whole={3n}>
            33.3%
          </Share>
        </Figure>
        <Figure name="Average order" note="gross per sale">
          <Money cents={4504n} />
        </Figure>
        <Figure name="Refund rate" change={<span class="same">unchanged</span>}>
          7.3%
        </Figure>
      </Figures>
    </>
  );
}

function Texts() {
  return (
    <Panel id="texts" title="Facts, badges and notices">
      <Facts
        facts={[
          ['Customer', 'Ann Example'],
          ['E-mail', <Email address="ann@customers.example" />],
          ['Sold', <DateTime at="2026-11-27 23:06:10" />],
          ['Amount', <Money cents={2700n} />],
        ]}
      />
      <Facts
        isInline
        facts={[
          ['Id', '2004'],
          ['E-mail', <Email address="ann@partners.example" />],
        ]}
      />
      <p>
        {BADGES.map((word) => (
          <>
            <Badge style={word}>{word}</Badge>{' '}
          </>
        ))}
      </p>
      <Done>The terms were saved.</Done>
      <Problem>This key cannot be shown.</Problem>
      <p class="notice">A notice without a state.</p>
      <p class="notice warning">A notice that asks for attention.</p>
      <p>
        <CopiedText id="copied" label="Copy the id" text="PA-RMYVXTVPVA" />
      </p>
    </Panel>
  );
}

function Forms() {
  const choices = {
    instant: { name: 'Approved', explanation: 'Paid at once.' },
    delayed: { name: 'Approved, delayed', explanation: 'Paid after the hold.' },
  };
  return (
    <Panel id="forms" title="Form and buttons">
      <FilterForm action={COMPONENTS_PATH} label="One line" isOpen>
        <Field label="Amount from" name="amount" hint="A hint below a field." />
        <Field label="Commission" name="commission" type="number" unit="%" />
        <Select label="Status" name="status" options={{ any: 'Any', paid: 'Paid' }} />
      </FilterForm>
      <ChoiceForm class="choices" action={COMPONENTS_PATH} label="Choices">
        <Choices legend="Status" name="approval" initial="instant" choices={choices} />
      </ChoiceForm>
      <Actions>
        <button type="button">Save</button>
        <button type="button" class="quiet">
          Cancel
        </button>
        <button type="button" class="danger">
          Erase…
        </button>
      </Actions>
    </Panel>
  );
}

function Links() {
  return (
    <Panel id="links" title="Tabs, pages and the way back">
      <LinkLine class="back" href={COMPONENTS_PATH}>
        Back to the list
      </LinkLine>
      <Tabs
        label="Whose sales"
        tabs={[
          ['own', 'Sales of my products'],
          ['referred', 'Sales I referred'],
        ]}
        current="own"
        to={() => COMPONENTS_PATH}
      />
      <PageLinks page={2} pages={3} to={() => COMPONENTS_PATH} />
    </Panel>
  );
}
