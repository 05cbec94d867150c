import {
  type DeclarationReflection,
  DefaultTheme,
  DefaultThemeRenderContext,
  JSX,
  type PageEvent,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  type Renderer,
  type RendererEvent,
} from 'typedoc';
import type { StagedDocuments } from '../documents/stage-documents.ts';
import { escapeHtml, html } from './html.ts';
import { layout, type SitePage } from './layout.ts';
import { createNavigation, type LinkGroup } from './navigation.ts';

/** Returns a theme that writes the frame of every page, and leaves the text and the reference to TypeDoc. */
export function createSiteTheme(documents: StagedDocuments, version: string): new (renderer: Renderer) => DefaultTheme {
  const staged = new Map(
    [documents.home, ...documents.readmes.values(), ...documents.groups.flatMap((group) => group.documents)].map(
      (document) => [document.path.replace(/\.md$/, ''), document],
    ),
  );
  let navigation: LinkGroup[] | undefined;

  return class extends DefaultTheme {
    override ContextClass = SiteContext;

    /** The first lines of a language take long, and the highlighter leaves out what takes more than half a second. */
    override async preRender(event: RendererEvent): Promise<void> {
      await super.preRender(event);
      for (const [, language = '', code = ''] of documents.home.markdown.matchAll(/^```(.+)\n([\s\S]*?)^```/gm))
        this.markedPlugin.getHighlighted(code, language);
    }

    override render(event: PageEvent): string {
      const page = event as PageEvent<Reflection>;
      navigation ??= createNavigation(documents, page.project, this.router);
      const content = correct(JSX.renderElement(this.contentOf(page)));
      const document = staged.get(page.url);
      const title = document?.title ?? (page.model.isProject() ? 'API reference' : page.model.name);
      return layout(
        {
          path: page.url,
          title,
          summary: document?.summary ?? `${title} in the API reference of Memory Read`,
          content,
          headings: headingsOf(page),
          hasMarkdown: document !== undefined,
        },
        { version, navigation },
      );
    }

    contentOf(page: PageEvent<Reflection>): JSX.Element {
      const context = this.getRenderContext(page);
      const { model } = page;
      if (model.isDocument()) return context.documentTemplate(page as PageEvent<typeof model>);
      if (model.isProject())
        return page.url === 'index.html'
          ? context.indexTemplate(page as PageEvent<ProjectReflection>)
          : raw(modulesOf(context, model, documents));
      const template = context.reflectionTemplate(page as PageEvent<DeclarationReflection>);
      return JSX.createElement(JSX.Fragment, null, titleOf(context, model), template);
    }
  };
}

/** Shows no icons of kinds and no index of a page, because the table of contents lists the same names. */
class SiteContext extends DefaultThemeRenderContext {
  override reflectionIcon = () => raw('');
  override index = () => raw('');
}

/** A copy of code needs its line breaks, and the empty corner of a table in Markdown is not a header. */
function correct(content: string): string {
  return content
    .replace(/<pre>.*?<\/pre>/gs, (block) => block.replaceAll(/<br ?\/>/g, '\n'))
    .replaceAll('<th></th>', '<td></td>');
}

function titleOf(context: DefaultThemeRenderContext, model: Reflection): JSX.Element {
  const { parent } = model;
  const kind = ReflectionKind.singularString(model.kind);
  const isBelow = parent !== undefined && !parent.isProject();
  const from = isBelow ? html` from <a href="${context.urlTo(parent)}">${escapeHtml(parent.name)}</a>` : '';
  const flags = JSX.renderElement(context.reflectionFlags(model));
  return raw(html`<h1>${escapeHtml(model.name)}</h1><p class="kind">${kind}${from} ${flags}</p>`);
}

/** Says in a sentence what a package is for, and lists the first functions of its other modules. */
function modulesOf(
  context: DefaultThemeRenderContext,
  project: ProjectReflection,
  { readmes }: StagedDocuments,
): string {
  const items = project.getChildrenByKind(ReflectionKind.Module).map((module) => {
    const [sentence] = readmes.get(module.name)?.summary.split(/(?<=\.) /) ?? [];
    const exported = module.getChildrenByKind(ReflectionKind.Function | ReflectionKind.Reference).slice(0, 3);
    const words =
      sentence === undefined ? exported.map(({ name }) => html`<code>${name}</code> `) : escapeHtml(sentence);
    return html`<dt><a href="${context.urlTo(module)}">${module.name}</a></dt><dd>${words}</dd>`;
  });
  return html`<h1>API reference</h1><dl class="modules">${items}</dl>`;
}

function headingsOf({ pageSections, model }: PageEvent<Reflection>): SitePage['headings'] {
  return pageSections.flatMap(({ headings }) =>
    headings
      .filter(({ level, kind }) =>
        level === undefined ? kind !== undefined : level === 2 || (level === 3 && model.isDocument()),
      )
      .map(({ link, text, level = 2 }) => ({ link, text, depth: level })),
  );
}

function raw(text: string): JSX.Element {
  return JSX.createElement(JSX.Raw, { html: text });
}
