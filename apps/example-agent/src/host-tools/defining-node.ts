import type { Node } from "@vscode/tree-sitter-wasm";

/** Kinds of nodes that define a name: in most grammars they end alike, and the name is in a field of its own. */
const NAMED =
  /^(?!.*(?:import|parameter))\w+_(?:declaration|definition|item|signature|spec|elem|declarator|assignment)$/;
/** The same, of kinds that no other grammar uses otherwise. */
const ALSO_NAMED =
  /^(?:class|(?:internal_)?module|(?:singleton_)?method|function_expression|generator_function|local_function_statement|type_alias|property_element|preproc_(?:function_)?def|enumerator|enum_(?:body|case|constant|variant))$/;
/** C and its family: a type that is written out is defined, one that is only named is not. */
const TYPES = /^(?:class|struct|union|enum)_specifier$/;
/** Kinds of nodes between a name and its definition. */
const WRAPPING = /^(?:variable_name|type|reference_declarator)$/;
/** Values that make an assignment a definition, as in `exports.name = function () {}`. */
const FUNCTIONS = /^(?:arrow_function|function_expression|generator_function|class)$/;

/** Whether a name stands where it is defined: functions, types, members, variables, and not parameters or imports. */
export function definesName(name: Node): boolean {
  let node = name;
  let parent = node.parent;
  while (parent !== null && wraps(parent, node)) [node, parent] = [parent, parent.parent];
  return parent !== null && (isNamed(parent, node) || isAssigned(parent, node));
}

function wraps(parent: Node, node: Node): boolean {
  if (WRAPPING.test(parent.type)) return true;
  if (parent.type === "qualified_identifier") return isIn(parent, "name", node);
  return /^\w+_declarator$/.test(parent.type) && isIn(parent, "declarator", node);
}

function isNamed(parent: Node, node: Node): boolean {
  const { type } = parent;
  if (TYPES.test(type)) return isIn(parent, "name", node) && parent.childForFieldName("body") !== null;
  if (type === "const_element") return parent.firstNamedChild?.id === node.id;
  if (type === "field_definition") return isIn(parent, "property", node);
  if (type === "let_declaration") return isIn(parent, "pattern", node);
  if (type === "type_alias_statement") return isIn(parent, "left", node);
  if (type === "pair")
    return isIn(parent, "key", node) && FUNCTIONS.test(parent.childForFieldName("value")?.type ?? "");
  if (!NAMED.test(type) && !ALSO_NAMED.test(type)) return type === "declaration" && isIn(parent, "declarator", node);
  return isIn(parent, "name", node) || isIn(parent, "declarator", node);
}

/** Assignments that define: of functions to members, of constants, and at the top of a module or class in Python. */
function isAssigned(parent: Node, node: Node): boolean {
  if (parent.type === "assignment" && isIn(parent, "left", node)) {
    const around = parent.parent?.parent;
    const inClass = around?.type === "block" && around.parent?.type === "class_definition";
    return node.type === "constant" || around?.type === "module" || inClass;
  }
  const assignment = parent.type === "member_expression" && isIn(parent, "property", node) ? parent.parent : null;
  return (
    assignment?.type === "assignment_expression" &&
    isIn(assignment, "left", parent) &&
    FUNCTIONS.test(assignment.childForFieldName("right")?.type ?? "")
  );
}

function isIn(parent: Node, field: string, node: Node): boolean {
  return parent.childrenForFieldName(field).some((child) => child?.id === node.id);
}
