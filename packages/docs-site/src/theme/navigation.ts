import { type ProjectReflection, type Reflection, ReflectionKind, type Router } from 'typedoc';
import type { StagedDocuments } from '../documents/stage-documents.ts';

/** A link to a page. */
export interface PageLink {
  title: string;
  /** Below the site. */
  path: string;
  /** Pages that are shown only on the page of this link and on their own. */
  below?: PageLink[] | undefined;
}

/** Links that form a group in the navigation. */
export interface LinkGroup {
  title: string;
  isFolded: boolean;
  links: PageLink[];
}

/** Returns the groups of documents, and the modules with their exports. */
export function createNavigation(documents: StagedDocuments, project: ProjectReflection, router: Router): LinkGroup[] {
  const groups = documents.groups.map(({ title, isFolded = false, documents: pages }) => ({
    title,
    isFolded,
    links: pages.map((page) => ({ title: page.title, path: page.path.replace(/\.md$/, '') })),
  }));
  const toLink = (reflection: Reflection): PageLink => ({
    title: reflection.name,
    path: router.getFullUrl(reflection),
  });
  const modules = project.getChildrenByKind(ReflectionKind.Module).map((module) => {
    const exported = (module.children ?? []).filter((child) => router.hasOwnDocument(child));
    return { ...toLink(module), below: exported.map(toLink) };
  });
  return [...groups, { title: 'API reference', isFolded: true, links: modules }];
}

/** Returns the group and the neighbours of a page, in the order of the navigation. */
export function placeOf(path: string, navigation: readonly LinkGroup[]) {
  const group = navigation.find(({ links }) => links.some((link) => contains(link, path)));
  const links = navigation.flatMap((each) => each.links);
  const position = links.findIndex((link) => link.path === path);
  return {
    group,
    previous: position < 0 ? undefined : links[position - 1],
    next: position < 0 ? undefined : links[position + 1],
  };
}

/** Whether the page is the one of the link, or is shown below it. */
export function contains({ path, below = [] }: PageLink, page: string): boolean {
  return path === page || below.some((link) => link.path === page);
}
