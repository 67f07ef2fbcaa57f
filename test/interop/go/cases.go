package main

import (
	"context"
	"fmt"
	"iter"
	"reflect"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/google/uuid"
)

// cases are what a client of any binding and any version has to be able to do. The clients in the other languages have
// the same.
var cases = map[string]func(context.Context, *sdk) error{
	"send":         send,
	"stream":       stream,
	"get":          get,
	"cancel":       cancel,
	"conversation": conversation,
	"artifacts":    artifacts,
	"errors":       refusals,
	"resubscribe":  resubscribe,
}

func send(ctx context.Context, s *sdk) error {
	task, err := s.send(ctx, idFor("tck-complete-task"), "")
	if err != nil {
		return err
	}
	return expect([]any{task.Status.State, textOf(task.Status.Message.Parts)}, a2a.TaskStateCompleted, "Hello from TCK")
}

func stream(ctx context.Context, s *sdk) error {
	events, err := all(s.stream(ctx, idFor("tck-stream-001")))
	if err != nil {
		return err
	}
	texts := []any{}
	for _, event := range events {
		if update, ok := event.(*a2a.TaskArtifactUpdateEvent); ok {
			texts = append(texts, textOf(update.Artifact.Parts))
		}
	}
	if err := expect(texts, "Stream hello from TCK"); err != nil {
		return err
	}
	return beginsAndEnds(events)
}

func get(ctx context.Context, s *sdk) error {
	sent, err := s.send(ctx, idFor("tck-complete-task"), "")
	if err != nil {
		return err
	}
	found, err := s.get(ctx, sent.ID)
	if err != nil {
		return err
	}
	return expect([]any{found.ID, found.ContextID, found.Status.State}, sent.ID, sent.ContextID, a2a.TaskStateCompleted)
}

func cancel(ctx context.Context, s *sdk) error {
	sent, err := s.send(ctx, idFor("tck-input-required"), "")
	if err != nil {
		return err
	}
	canceled, err := s.cancel(ctx, sent.ID)
	if err != nil {
		return err
	}
	found, err := s.get(ctx, sent.ID)
	if err != nil {
		return err
	}
	return expect([]any{canceled.Status.State, found.Status.State}, a2a.TaskStateCanceled, a2a.TaskStateCanceled)
}

func conversation(ctx context.Context, s *sdk) error {
	asked, err := s.send(ctx, idFor("tck-input-required"), "")
	if err != nil {
		return err
	}
	if err := expect([]any{asked.Status.State}, a2a.TaskStateInputRequired); err != nil {
		return err
	}
	done, err := s.send(ctx, idFor("tck-complete-task"), asked.ID)
	if err != nil {
		return err
	}
	return expect([]any{done.ID, done.Status.State}, asked.ID, a2a.TaskStateCompleted)
}

func artifacts(ctx context.Context, s *sdk) error {
	sent, err := s.send(ctx, idFor("tck-stream-artifact-chunked"), "")
	if err != nil {
		return err
	}
	found, err := s.get(ctx, sent.ID)
	if err != nil {
		return err
	}
	for _, task := range []*a2a.Task{sent, found} {
		texts := []any{}
		for _, artifact := range task.Artifacts {
			texts = append(texts, textOf(artifact.Parts))
		}
		if err := expect(texts, "chunk-1 chunk-2"); err != nil {
			return err
		}
	}
	return nil
}

func refusals(ctx context.Context, s *sdk) error {
	_, missing := s.get(ctx, a2a.TaskID(uuid.NewString()))
	sent, err := s.send(ctx, idFor("tck-complete-task"), "")
	if err != nil {
		return err
	}
	_, over := s.cancel(ctx, sent.ID)
	return expect([]any{refusalIn(missing), refusalIn(over)}, "not found", "not cancelable")
}

func resubscribe(ctx context.Context, s *sdk) error {
	var id a2a.TaskID
	for event, err := range s.stream(ctx, idFor("test-resubscribe-message-id")) {
		if err != nil {
			return err
		}
		id = event.TaskInfo().TaskID
		break
	}
	events, err := all(s.subscribe(ctx, id))
	if err != nil {
		return err
	}
	if err := expect([]any{events[0].TaskInfo().TaskID}, id); err != nil {
		return err
	}
	return beginsAndEnds(events)
}

// beginsAndEnds is what every stream does: a task first, and its end last.
func beginsAndEnds(events []a2a.Event) error {
	_, isTask := events[0].(*a2a.Task)
	last, isStatus := events[len(events)-1].(*a2a.TaskStatusUpdateEvent)
	if !isTask || !isStatus {
		return fmt.Errorf("a stream from %T to %T", events[0], events[len(events)-1])
	}
	return expect([]any{last.Status.State, last.Final}, a2a.TaskStateCompleted, true)
}

func all(stream iter.Seq2[a2a.Event, error]) ([]a2a.Event, error) {
	var events []a2a.Event
	for event, err := range stream {
		if err != nil {
			return nil, err
		}
		events = append(events, event)
	}
	if len(events) == 0 {
		return nil, fmt.Errorf("a stream without events")
	}
	return events, nil
}

// idFor makes the id of one message; the agent does what its beginning says.
func idFor(wish string) string { return wish + "-" + uuid.NewString() }

func expect(got []any, wanted ...any) error {
	if reflect.DeepEqual(got, wanted) {
		return nil
	}
	return fmt.Errorf("got %v, wanted %v", got, wanted)
}
